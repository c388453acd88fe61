export type { AvatarLoad } from '@parlance/avatar'
export type { Conversation } from './conversation-store.js'
export { useAudioLevel } from './use-audio-level.js'
export { type UseParlance, type UseParlanceOptions, useParlance } from './use-parlance.js'
