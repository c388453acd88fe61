import type {
  AgentState,
  ConnectionState,
  HistoryItem,
  ParlanceClient,
  ParlanceError,
  ParlanceEvents,
  Session,
  TranscriptMessage,
} from '@parlance/client'

/** The state of a client that components show. */
export interface ConversationState {
  readonly connectionState: ConnectionState
  readonly session: Session | null
  /** The messages of this session, or of the last one; each once, in its latest form. */
  readonly transcript: readonly TranscriptMessage[]
  /** The messages, calls of tools and interruptions of this session, or of the last one. */
  readonly history: readonly HistoryItem[]
  readonly agentState: AgentState
  readonly agentSpeaking: boolean
  readonly userSpeaking: boolean
  readonly muted: boolean
  /** From 0 to 1. */
  readonly volume: number
  /** The last error since `connect`. */
  readonly error: ParlanceError | null
  /** True when the browser does not let the page play audio: call `resumeAudio` from a click. */
  readonly audioBlocked: boolean
}

export interface ConversationStore {
  subscribe(changed: () => void): () => void
  /** The object stays the same until something changes. */
  current(): ConversationState
}

const stores = new WeakMap<ParlanceClient, ConversationStore>()

/** The state of a client. All components share one store for each client, which lives as long as the client. */
export const storeOf = (client: ParlanceClient): ConversationStore => {
  const known = stores.get(client)
  if (known !== undefined) return known
  const store = createStore(client)
  stores.set(client, store)
  return store
}

const changing: readonly (keyof ParlanceEvents)[] = [
  'connectionState',
  'session',
  'history',
  'agentState',
  'userSpeaking',
  'muted',
  'volume',
  'audioBlocked',
]

const createStore = (client: ParlanceClient): ConversationStore => {
  const listeners = new Set<() => void>()
  const read = (error: ParlanceError | null): ConversationState => ({
    connectionState: client.connectionState,
    session: client.session,
    transcript: client.messages,
    history: client.history,
    agentState: client.agentState,
    agentSpeaking: client.agentState === 'speaking',
    userSpeaking: client.userSpeaking,
    muted: client.muted,
    volume: client.volume,
    audioBlocked: client.audioBlocked,
    error,
  })
  let current = read(null)
  const set = (error: ParlanceError | null): void => {
    current = read(error)
    for (const changed of listeners) changed()
  }

  client.on('connectionState', (state) => {
    const wasOver = /^(idle|disconnecting|disconnected)$/.test(current.connectionState)
    const begins = /^(requesting-microphone|connecting)$/.test(state)
    if (wasOver && begins) set(null)
  })
  for (const name of changing) client.on(name, () => set(current.error))
  client.on('error', set)

  return {
    subscribe(changed) {
      listeners.add(changed)
      return () => listeners.delete(changed)
    },
    current: () => current,
  }
}
