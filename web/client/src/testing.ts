/**
 * `@parlance/client/testing`: a page without network and media, for tests of what a page does with its client. It needs no
 * browser.
 */
import type { BrowserParts } from './browser-parts.js'
import type { ConnectionListener, OpenConnection } from './connection.js'
import type { ClientMessage, ServerEvent } from './messages.js'
import type { TestTransport } from './parlance-client.js'
import { ParlanceError } from './parlance-error.js'

export type { ClientMessage, ServerEvent }

/** A microphone that the client has opened. */
export interface ScriptedMicrophone {
  /** Its `enabled` is whether audio of it would be sent. */
  readonly track: MediaStreamTrack
  readonly isOn: boolean
  /** What the browser was asked for: capture options, or a track of the page. */
  readonly source: unknown
  /** It is taken away: by the user or the system. */
  unplug(): void
}

/** A request of the client to the API. */
export interface ScriptedRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** One session, as the service sees it. */
export interface ScriptedSession {
  /** The client has closed its connection. */
  readonly isClosed: boolean
  /** The service sends an event. */
  emit(event: ServerEvent): void
  /** The audio of the Agent begins. */
  emitTrack(track: MediaStreamTrack): void
  /** The network is lost, and the client tries to connect again; or it is back. */
  setNetwork(isThere: boolean): void
  /** The connection is lost for good. */
  lose(): void
}

/** The option `transport` of a client. A session is ready at once unless a script says otherwise. */
export interface ScriptedConnection extends TestTransport {
  /** What the client has sent in its sessions, oldest first. */
  readonly sent: readonly ClientMessage[]
  readonly requests: readonly ScriptedRequest[]
  readonly sessions: readonly ScriptedSession[]
  readonly microphones: readonly ScriptedMicrophone[]
  /** Resolves to the first message with this event that was not returned before, as soon as the client has sent it. */
  next<Event extends ClientMessage['event']>(event: Event): Promise<Extract<ClientMessage, { readonly event: Event }>>
  /** The service sends an event in the latest session. Throws without one. */
  emit(event: ServerEvent): void
  /** The user leaves the page. */
  leavePage(): void
}

/** What happens otherwise than by default. The object may be changed later. */
export interface Script {
  /** Resolves when the user allows the microphone. `denied` rejects. */
  microphone?: () => Promise<void>
  /** Makes the response of the service to the start of a session, from the default one: 201 with a session. */
  start?: (response: Response) => Response | Promise<Response>
  /** Default: true. Otherwise the test sends `session.ready`. */
  isReady?: boolean
  /** Whether the browser lets the page play audio. Default: true. */
  canPlay?: boolean
}

/** The user does not allow the microphone. */
export const denied = (): Promise<void> =>
  Promise.reject(new ParlanceError('microphone_denied', 'The microphone is not allowed.'))

const fakeTrack = (): MediaStreamTrack => ({ kind: 'audio', enabled: true }) as MediaStreamTrack

export const createScriptedConnection = (script: Script = {}): ScriptedConnection => {
  const sent: ClientMessage[] = []
  const waiting: { readonly event: string; resolve(message: ClientMessage): void }[] = []
  const unread: ClientMessage[] = []
  const requests: ScriptedRequest[] = []
  const sessions: ScriptedSession[] = []
  const microphones: ScriptedMicrophone[] = []
  const leaveListeners = new Set<() => void>()

  const take = (message: ClientMessage): void => {
    sent.push(message)
    const index = waiting.findIndex(({ event }) => event === message.event)
    if (index < 0) unread.push(message)
    else waiting.splice(index, 1)[0]!.resolve(message)
  }

  const startedSession = (): Response =>
    Response.json(
      {
        session_id: `session-${sessions.length}`,
        agent_id: 'agent',
        publication: { id: 'publication', version: 1 },
        sdp: { type: 'answer', sdp: 'v=0' },
        ice_servers: [],
        max_duration_seconds: 600,
        avatar: null,
      },
      { status: 201 },
    )

  const openSession = (listener: ConnectionListener, onClose: () => boolean): ScriptedSession => ({
    get isClosed() {
      return onClose()
    },
    emit: (event) => listener.onMessage(JSON.stringify(event)),
    emitTrack: (track) => listener.onTrack(track),
    setNetwork: (isThere) => listener.onConnectivity(isThere),
    lose: () => listener.onClosed(),
  })

  const openConnection: OpenConnection = async ({ iceServers, start, listener }) => {
    let isClosed = false
    await iceServers()
    await start({ transport: 'webrtc' })
    const session = openSession(listener, () => isClosed)
    sessions.push(session)
    if (script.isReady !== false) {
      queueMicrotask(() => session.emit({ event: 'session.ready', session_id: 'session' }))
    }
    return {
      send: (message) => take(JSON.parse(message)),
      setMicrophone: async () => {},
      audioMoment: () => undefined,
      sentSilenceMs: 100,
      close() {
        isClosed = true
      },
      reconnect: () => listener.onConnectivity(false),
    }
  }

  const parts: BrowserParts = {
    async fetch(url, init) {
      const method = init?.method ?? 'GET'
      const headers = (init?.headers ?? {}) as Record<string, string>
      requests.push({ method, url: String(url), headers, body: init?.body && JSON.parse(String(init.body)) })
      if (method === 'DELETE') return new Response(null, { status: 204 })
      if (!String(url).endsWith('/sessions')) return Response.json({ ice_servers: [], ttl_seconds: 600 })
      return script.start?.(startedSession()) ?? startedSession()
    },
    async openMicrophone({ source, onLost }) {
      await script.microphone?.()
      let isOn = true
      const close = (): void => {
        isOn = false
      }
      const track = fakeTrack()
      microphones.push({
        track,
        source,
        get isOn() {
          return isOn
        },
        unplug() {
          close()
          onLost()
        },
      })
      return { track, close }
    },
    mediaDevices: () => undefined,
    openConnection: { webrtc: openConnection, websocket: openConnection },
    createAgentPlayer: () => ({
      unlock: () => {},
      play: async () => script.canPlay !== false,
      resume: async () => script.canPlay !== false,
      setVolume: () => {},
      setDevice: async () => {},
      latencyMs: () => 0,
      context: () => undefined,
      close: () => {},
    }),
    keepAwake: () => () => {},
    onPageHide(leave) {
      leaveListeners.add(leave)
      return () => leaveListeners.delete(leave)
    },
  }

  return {
    parts,
    sent,
    requests,
    sessions,
    microphones,
    next: (event) =>
      new Promise((resolve) => {
        const index = unread.findIndex((message) => message.event === event)
        if (index < 0) waiting.push({ event, resolve: resolve as (message: ClientMessage) => void })
        else resolve(unread.splice(index, 1)[0] as never)
      }),
    emit(event) {
      const session = sessions.at(-1)
      if (session === undefined) throw new Error('There is no session: connect the client first.')
      session.emit(event)
    },
    leavePage: () => [...leaveListeners].forEach((leave) => void leave()),
  }
}
