import {
  type ConnectOptions,
  createParlanceClient,
  type ParlanceClient,
  type ParlanceClientOptions,
  type ParlanceEvents,
  type Session,
  type Tool,
} from '@parlance/client'
import { useContext, useEffect, useMemo, useSyncExternalStore } from 'react'
import { type AvatarLoad, type LoadRenderer, useRenderedAvatar } from './avatar-renderer.js'
import { ClientContext, useLatest } from './client-hooks.js'
import { type ConversationState, storeOf } from './conversation-state.js'

/** Levels are measured only while there is a listener. `useLevels` is for them. */
type HandledEvents = Omit<ParlanceEvents, 'levels'>

/**
 * Functions may be new with each render; those of the last render are called. A new `agentId`, `apiOrigin` or `transport`
 * creates a new client.
 */
export interface ConversationOptions extends ParlanceClientOptions {
  /** Called with the client's events, by their names, while the component is mounted. */
  readonly on?: { readonly [Name in keyof HandledEvents]?: (payload: HandledEvents[Name]) => void }
  /** The tools that the Agent may call, by name. */
  readonly tools?: Readonly<Record<string, Tool>>
}

export interface UseParlanceOptions extends ConversationOptions {
  /** `() => import('@parlance/avatar')`, where `avatarRef` is used. It is called when there is an avatar to show. */
  readonly avatar?: LoadRenderer
}

const controls = [
  'disconnect',
  'sendText',
  'say',
  'startPushToTalk',
  'commitPushToTalk',
  'cancelPushToTalk',
  'interrupt',
  'updateContext',
  'sendUserActivity',
  'sendFeedback',
  'mute',
  'unmute',
  'setVolume',
  'resumeAudio',
] as const

type Controls = Pick<ParlanceClient, (typeof controls)[number]>

/** The functions stay the same while the client does. */
export interface UseParlance extends ConversationState, Controls {
  /** Never rejects: resolves with undefined when it fails, and `error` has the reason. */
  connect(options?: ConnectOptions): Promise<Session | undefined>
  /** The `ref` of an element with a size, in which the Agent's avatar is shown. It needs the option `avatar`. */
  readonly avatarRef: (container: HTMLElement | null) => void
  readonly avatarLoad: AvatarLoad
  /** The client, for everything else, such as audio levels and devices. */
  readonly client: ParlanceClient
}

/** A client of the component, whose session ends when the component is unmounted. Undefined without options. */
export const useOwnClient = (options: ConversationOptions | undefined): ParlanceClient | undefined => {
  const { agentId, apiOrigin, transport } = options ?? {}
  const latest = useLatest(options)

  const client = useMemo(
    () =>
      agentId === undefined
        ? undefined
        : createParlanceClient({
            agentId,
            ...(apiOrigin === undefined ? {} : { apiOrigin }),
            ...(transport === undefined ? {} : { transport }),
            sessionToken: () => latest.current!.sessionToken(),
            traceparent: () => latest.current!.traceparent?.(),
          }),
    [agentId, apiOrigin, transport, latest],
  )

  useEffect(() => {
    const undo = eventNames.map((name) => client?.on(name, (payload) => latest.current?.on?.[name]?.(payload as never)))
    return () => {
      for (const off of undo) off?.()
    }
  }, [client, latest])

  const toolNames = Object.keys(options?.tools ?? {})
    .sort()
    .join('\n')
  useEffect(() => {
    const names = toolNames === '' ? [] : toolNames.split('\n')
    const undo = names.map((name) => client?.registerTool(name, (input) => latest.current?.tools?.[name]?.(input)))
    return () => {
      for (const unregister of undo) unregister?.()
    }
  }, [client, latest, toolNames])

  useEffect(
    () => () => {
      void client?.disconnect()
    },
    [client],
  )
  return client
}

/**
 * A conversation with an Agent while the component is mounted; it hangs up when the component is unmounted. Throws while
 * rendering when `agentId` is not a UUID. Without options it is the conversation of the `ParlanceProvider` around it.
 */
export const useParlance = (options?: UseParlanceOptions): UseParlance => {
  const own = useOwnClient(options)
  const provided = useContext(ClientContext)
  const client = own ?? provided
  if (client === undefined) throw new Error('useParlance needs options, or a ParlanceProvider around the component.')
  const store = storeOf(client)
  const state = useSyncExternalStore(store.subscribe, store.current, store.current)
  const functions = useMemo(() => controlsOf(client), [client])
  const avatar = useRenderedAvatar(client, state.session, options?.avatar)
  return { ...state, ...functions, ...avatar, client }
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
  ...(Object.fromEntries(controls.map((name) => [name, client[name]])) as Controls),
  connect: (options) => client.connect(options).catch(() => undefined),
})
