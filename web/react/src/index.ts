'use client'

export type { AvatarLoad, AvatarRenderer, LoadRenderer } from './avatar-renderer.js'
export {
  type Devices,
  useAgentState,
  useAudioLevel,
  useConnectionState,
  useDevices,
  useHistory,
  useLevels,
  useMessages,
  useMuted,
  useParlanceClient,
  useSession,
  useUserSpeaking,
} from './client-hooks.js'
export { Composer, type ComposerProps, Conversation, type ConversationProps } from './conversation.js'
export type { ConversationState } from './conversation-state.js'
export { DeviceMenu } from './device-menu.js'
export { MicButton, type MicButtonProps } from './mic-button.js'
export { Orb } from './orb.js'
export { type Labels, ParlanceProvider, type ParlanceProviderProps, type PartProps } from './provider.js'
export { Transcript } from './transcript.js'
export { type ConversationOptions, type UseParlance, type UseParlanceOptions, useParlance } from './use-parlance.js'
export { Waveform, type WaveformProps } from './waveform.js'
