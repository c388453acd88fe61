export { AvatarError, type AvatarErrorCode, type AvatarLoad } from './avatar-load.js'
export type { AvatarRecord } from './avatar-record.js'
export { type AvatarOptions, type AvatarView, createAvatar } from './create-avatar.js'
export type { SpeechClock, TimedViseme } from './speech-clock.js'
