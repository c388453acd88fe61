import type { ParlanceClient } from '@parlance/client'
import { type CSSProperties, createContext, type ReactNode, useContext, useMemo } from 'react'
import { ClientContext } from './client-hooks.js'
import { type ConversationOptions, useOwnClient } from './use-parlance.js'

const english = {
  conversation: 'Conversation',
  start: 'Start talking',
  startTextOnly: 'Start',
  startTyping: 'Type instead',
  hangUp: 'Hang up',
  message: 'Message',
  messagePlaceholder: 'Type a message',
  send: 'Send',
  transcript: 'Transcript',
  user: 'You',
  agent: 'Agent',
  interrupted: 'Interrupted',
  holdToSpeak: 'Hold to speak',
  releaseToSend: 'Release to send',
  speak: 'Speak',
  finishSpeaking: 'Send what I said',
  mute: 'Mute the microphone',
  devices: 'Microphone and speaker',
  microphone: 'Microphone',
  speaker: 'Speaker',
  defaultDevice: 'Browser default',
  devicesUnknown: 'The browser lists them once the microphone is allowed.',
  deviceFailed: 'This device cannot be used now.',
  volume: 'Volume',
  turnSoundOn: 'Turn the sound on',
  avatar: 'The Agent',
  loadingAvatar: 'Loading the avatar',
  idle: 'Ready',
  requestingMicrophone: 'Allow the microphone if the browser asks',
  connecting: 'Connecting …',
  reconnecting: 'Connection lost, trying again …',
  disconnecting: 'Hanging up …',
  disconnected: 'The conversation is over',
  listening: 'Listening',
  waiting: 'Your turn',
  hearing: 'Hearing you',
  thinking: 'Thinking',
  speaking: 'Speaking',
  muted: 'Your microphone is muted',
}

/** The texts of the parts. */
export type Labels = Readonly<Record<keyof typeof english, string>>

const LabelsContext = createContext<Labels>(english)
export const useLabels = (): Labels => useContext(LabelsContext)

/** The properties of all parts. */
export interface PartProps {
  readonly className?: string | undefined
  readonly style?: CSSProperties | undefined
}

export type ParlanceProviderProps = {
  readonly children?: ReactNode
  /** The texts of the parts, in another language or in other words. */
  readonly labels?: Partial<Labels>
} & ((ConversationOptions & { readonly client?: undefined }) | { readonly client: ParlanceClient })

/**
 * The conversation of the hooks and parts below it. With the options of `useParlance` it has a client of its own, and hangs up
 * when it is unmounted. With `client` it uses a client that you have made.
 */
export const ParlanceProvider = ({ children, labels, ...options }: ParlanceProviderProps) => {
  const own = useOwnClient(options.client === undefined ? options : undefined)
  const allLabels = useMemo(() => ({ ...english, ...labels }), [labels])
  return (
    <ClientContext.Provider value={own ?? options.client}>
      <LabelsContext.Provider value={allLabels}>{children}</LabelsContext.Provider>
    </ClientContext.Provider>
  )
}
