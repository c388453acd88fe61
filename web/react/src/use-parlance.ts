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
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { type Conversation, createConversationStore, noConversation } from './conversation-store.js'
import { useAvatar } from './use-avatar.js'
import { useLatest } from './use-latest.js'

/** All but `agentId` and `apiOrigin` may be new with each render: what was given last is called. */
export interface UseParlanceOptions extends ParlanceClientOptions {
  /** Called with the client's events, by their names, while the component is mounted. */
  readonly on?: { readonly [Name in keyof ParlanceEvents]?: (payload: ParlanceEvents[Name]) => void }
  /** What the Agent may call, by its name. */
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
  | 'mute'
  | 'unmute'
  | 'setVolume'
  | 'resumeAudio'
>

/** The functions stay the same for as long as the client does. */
export interface UseParlance extends Conversation, Controls {
  /** Resolves to nothing where it fails, and never rejects: `error` tells why. */
  connect(options?: ConnectOptions): Promise<Session | undefined>
  /** `ref` of an element that has a size: the Agent's avatar shows in it. */
  readonly avatarRef: (container: HTMLElement | null) => void
  readonly avatarLoad: AvatarLoad
  /** For all else that it can, such as audio levels and devices. */
  readonly client: ParlanceClient
}

/**
 * A conversation with an Agent, for as long as the component is mounted: it hangs up when the component goes. Throws while
 * rendering where `agentId` is no UUID.
 */
export const useParlance = (options: UseParlanceOptions): UseParlance => {
  const { agentId, apiOrigin } = options
  const latest = useLatest(options)

  const { client, store, controls } = useMemo(() => {
    const client = createParlanceClient({
      agentId,
      ...(apiOrigin === undefined ? {} : { apiOrigin }),
      sessionToken: () => latest.current.sessionToken(),
    })
    return { client, store: createConversationStore(client), controls: controlsOf(client) }
  }, [agentId, apiOrigin, latest])

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
      for (const takeBack of undo) takeBack()
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

/** An object, so that none can be missing. */
const events: Readonly<Record<keyof ParlanceEvents, true>> = {
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
}
const eventNames = Object.keys(events) as (keyof ParlanceEvents)[]

const controlsOf = (client: ParlanceClient): Controls & Pick<UseParlance, 'connect'> => ({
  connect: (options) => client.connect(options).catch(() => undefined),
  disconnect: client.disconnect,
  sendText: client.sendText,
  startPushToTalk: client.startPushToTalk,
  commitPushToTalk: client.commitPushToTalk,
  cancelPushToTalk: client.cancelPushToTalk,
  interrupt: client.interrupt,
  updateContext: client.updateContext,
  mute: client.mute,
  unmute: client.unmute,
  setVolume: client.setVolume,
  resumeAudio: client.resumeAudio,
})
