import type { ConnectionState, ParlanceClient, ParlanceError, Session, TranscriptMessage } from '@parlance/client'

/** The state of a conversation that a component shows. */
export interface Conversation {
  readonly connectionState: ConnectionState
  readonly session: Session | null
  /** The messages of this session, or of the last one; each once, in its latest form. */
  readonly transcript: readonly TranscriptMessage[]
  readonly agentSpeaking: boolean
  /** The last error since `connect`. */
  readonly error: ParlanceError | null
  /** True when the browser does not let the page play audio: call `resumeAudio` from a click. */
  readonly audioBlocked: boolean
}

export interface ConversationStore {
  subscribe(changed: () => void): () => void
  current(): Conversation
}

export const noConversation: Conversation = {
  connectionState: 'idle',
  session: null,
  transcript: [],
  agentSpeaking: false,
  error: null,
  audioBlocked: false,
}

/** Keeps the state of a client by its events. */
export const createConversationStore = (client: ParlanceClient): ConversationStore => {
  const listeners = new Set<() => void>()
  let current = noConversation
  const set = (change: Partial<Conversation>): void => {
    current = { ...current, ...change }
    for (const changed of listeners) changed()
  }

  client.on('connectionState', (connectionState) => {
    const begins = /^(idle|disconnected|disconnecting)$/.test(current.connectionState)
    const connects = /^(requesting-microphone|connecting)$/.test(connectionState)
    set({ connectionState, ...(begins && connects ? { transcript: [], error: null } : {}) })
  })
  client.on('session', (session) => set({ session }))
  client.on('transcript', (message) => set({ transcript: withMessage(current.transcript, message) }))
  client.on('agentSpeaking', (agentSpeaking) => set({ agentSpeaking }))
  client.on('error', (error) => set({ error }))
  client.on('audioBlocked', (audioBlocked) => set({ audioBlocked }))

  return {
    subscribe(changed) {
      listeners.add(changed)
      return () => listeners.delete(changed)
    },
    current: () => current,
  }
}

const withMessage = (transcript: readonly TranscriptMessage[], message: TranscriptMessage): TranscriptMessage[] => {
  const known = transcript.some(({ id }) => id === message.id)
  const all = known ? transcript.map((one) => (one.id === message.id ? message : one)) : [...transcript, message]
  // An empty final message is withdrawn.
  return all.filter(({ text, final }) => text !== '' || !final)
}
