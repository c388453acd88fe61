import type { AvatarLoad } from '@parlance/avatar'
import {
  type ConnectOptions,
  createParlanceClient,
  type ParlanceClient,
  type ParlanceClientOptions,
  type ParlanceEvents,
  type Session,
  type Tool,
} from '@parlance/client'
import { type RefObject, useEffect, useInsertionEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { type Conversation, createConversationStore, noConversation } from './conversation-store.js'
import { useAvatar } from './use-avatar.js'

/** A ref to the value of the last render, for callbacks that outlive a render. */
const useLatest = <Value>(value: Value): RefObject<Value> => {
  const latest = useRef(value)
  useInsertionEffect(() => {
    latest.current = value
  })
  return latest
}

/** Levels are measured only while there is a listener. `useAudioLevel` is for them. */
type HandledEvents = Omit<ParlanceEvents, 'levels'>

/**
 * Functions may be new with each render; those of the last render are called. A new `agentId`, `apiOrigin` or `transport`
 * creates a new client.
 */
export interface UseParlanceOptions extends ParlanceClientOptions {
  /** Called with the client's events, by their names, while the component is mounted. */
  readonly on?: { readonly [Name in keyof HandledEvents]?: (payload: HandledEvents[Name]) => void }
  /** The tools that the Agent may call, by name. */
  readonly tools?: Readonly<Record<string, Tool>>
}

type Controls = Pick<
  ParlanceClient,
  | 'disconnect'
  | 'sendText'
  | 'startPushToTalk'
  | 'commitPushToTalk'
  | 'cancelPushToTalk'
  | 'interrupt'
  | 'updateContext'
  | 'sendFeedback'
  | 'mute'
  | 'unmute'
  | 'setVolume'
  | 'resumeAudio'
>

/** The functions stay the same while the client does. */
export interface UseParlance extends Conversation, Controls {
  /** Never rejects: resolves with undefined when it fails, and `error` has the reason. */
  connect(options?: ConnectOptions): Promise<Session | undefined>
  /** The `ref` of an element with a size, in which the Agent's avatar is shown. */
  readonly avatarRef: (container: HTMLElement | null) => void
  readonly avatarLoad: AvatarLoad
  /** The client, for everything else, such as audio levels and devices. */
  readonly client: ParlanceClient
}

/**
 * A conversation with an Agent while the component is mounted; it hangs up when the component is unmounted. Throws while
 * rendering when `agentId` is not a UUID.
 */
export const useParlance = (options: UseParlanceOptions): UseParlance => {
  const { agentId, apiOrigin, transport } = options
  const latest = useLatest(options)

  const { client, store, controls } = useMemo(() => {
    const client = createParlanceClient({
      agentId,
      ...(apiOrigin === undefined ? {} : { apiOrigin }),
      ...(transport === undefined ? {} : { transport }),
      sessionToken: () => latest.current.sessionToken(),
      traceparent: () => latest.current.traceparent?.(),
    })
    return { client, store: createConversationStore(client), controls: controlsOf(client) }
  }, [agentId, apiOrigin, transport, latest])

  useEffect(() => {
    const undo = eventNames.map((name) => client.on(name, (payload) => latest.current.on?.[name]?.(payload as never)))
    return () => {
      for (const off of undo) off()
    }
  }, [client, latest])

  const toolNames = Object.keys(options.tools ?? {})
    .sort()
    .join('\n')
  useEffect(() => {
    const names = toolNames === '' ? [] : toolNames.split('\n')
    const undo = names.map((name) => client.registerTool(name, (input) => latest.current.tools?.[name]?.(input)))
    return () => {
      for (const unregister of undo) unregister()
    }
  }, [client, latest, toolNames])

  useEffect(
    () => () => {
      void client.disconnect()
    },
    [client],
  )

  const conversation = useSyncExternalStore(store.subscribe, store.current, () => noConversation)
  const avatar = useAvatar(client, conversation.session)
  return { ...conversation, ...controls, ...avatar, client }
}

/** An object, so that a missing event does not compile. */
const events: Readonly<Record<keyof HandledEvents, true>> = {
  connectionState: true,
  session: true,
  transcript: true,
  agentSpeaking: true,
  agentState: true,
  userSpeaking: true,
  userSpeech: true,
  remoteAudioTrack: true,
  error: true,
  disconnected: true,
  ending: true,
  interruption: true,
  toolCall: true,
  metrics: true,
  audioBlocked: true,
  alignment: true,
  muted: true,
  volume: true,
  history: true,
  devicesChanged: true,
}
const eventNames = Object.keys(events) as (keyof HandledEvents)[]

const controlsOf = (client: ParlanceClient): Controls & Pick<UseParlance, 'connect'> => ({
  connect: (options) => client.connect(options).catch(() => undefined),
  disconnect: client.disconnect,
  sendText: client.sendText,
  startPushToTalk: client.startPushToTalk,
  commitPushToTalk: client.commitPushToTalk,
  cancelPushToTalk: client.cancelPushToTalk,
  interrupt: client.interrupt,
  updateContext: client.updateContext,
  sendFeedback: client.sendFeedback,
  mute: client.mute,
  unmute: client.unmute,
  setVolume: client.setVolume,
  resumeAudio: client.resumeAudio,
})
