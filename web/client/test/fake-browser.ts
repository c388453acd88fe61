import type { BrowserParts } from '../src/browser-parts.js'
import type { ConnectionListener, OpenConnection } from '../src/connection.js'
import type { Microphone } from '../src/microphone.js'
import { ParlanceError } from '../src/parlance-error.js'

/** A stand-in for the browser. `calls` are in the order in which they were made. */
export const createFakeBrowser = () => {
  const calls: string[] = []
  const sent: { readonly event: string; readonly [name: string]: unknown }[] = []
  const connections: { listener: ConnectionListener; audioContext: AudioContext | undefined; closed: boolean }[] = []
  const audioContext = {} as AudioContext
  let unlocked: AudioContext | undefined
  const microphones: { track: { enabled: boolean }; on: boolean; lose(): void }[] = []
  const requests: { method: string; url: string; authorization: string; traceparent?: string; body: unknown }[] = []
  const pageHideListeners = new Set<() => void>()
  const fake = {
    calls,
    /** The one that is unlocked. */
    audioContext,
    sent,
    connections,
    microphones,
    requests,
    /** Resolves when the user allows the microphone. */
    microphone: async (): Promise<void> => {},
    allowsPlayback: true,
    /** The response of the service to a start. */
    start: async (): Promise<Response> =>
      Response.json(
        {
          session_id: `session-${connections.length}`,
          agent_id: 'agent',
          publication: { id: 'publication', version: 1 },
          sdp: { type: 'answer', sdp: 'v=0' },
          max_duration_seconds: 600,
          avatar: null,
        },
        { status: 201 },
      ),
    /** Whether the service sends `session.ready` as soon as the connection is open. */
    ready: true,
    /** The service sends an event, in the session that was opened last. */
    receive(event: object, connection = connections.at(-1)) {
      connection?.listener.onMessage(JSON.stringify(event))
    },
    leavePage: () => [...pageHideListeners].forEach((leave) => void leave()),
    microphonesOn: () => microphones.filter(({ on }) => on).length,
  }

  const openConnection: OpenConnection = async ({ audioContext, iceServers, start, listener }) => {
    const connection = { listener, audioContext: audioContext(), closed: false }
    await iceServers()
    await start({ transport: 'webrtc' })
    connections.push(connection)
    if (fake.ready) queueMicrotask(() => fake.receive({ event: 'session.ready', session_id: 'session' }, connection))
    return {
      send: (message) => void sent.push(JSON.parse(message)),
      setMicrophone: async () => void calls.push('microphone replaced'),
      audioMoment: () => undefined,
      sentSilenceMs: 100,
      close() {
        connection.closed = true
      },
      reconnect: () => listener.onConnectivity(false),
    }
  }

  const parts: BrowserParts = {
    fetch: async (url, init) => {
      const method = init?.method ?? 'GET'
      const { authorization = '', traceparent } = (init?.headers ?? {}) as Record<string, string>
      const body = init?.body && JSON.parse(String(init.body))
      requests.push({ method, url: String(url), authorization, body, ...(traceparent && { traceparent }) })
      if (method === 'POST') return fake.start()
      return method === 'DELETE'
        ? new Response(null, { status: 204 })
        : Response.json({ ice_servers: [], ttl_seconds: 600 })
    },
    async openMicrophone({ onLost }) {
      calls.push('microphone opened')
      await fake.microphone()
      const one = { track: { enabled: true }, on: true, lose: () => {} }
      one.lose = () => {
        one.on = false
        onLost()
      }
      microphones.push(one)
      const close = () => {
        one.on = false
      }
      return { track: one.track as unknown as MediaStreamTrack, close } satisfies Microphone
    },
    mediaDevices: () => undefined,
    openConnection: { webrtc: openConnection, websocket: openConnection },
    createAgentPlayer: () => ({
      unlock() {
        calls.push('unlocked')
        unlocked = audioContext
      },
      play: async () => fake.allowsPlayback,
      resume: async () => true,
      setVolume: () => {},
      setDevice: async () => {},
      latencyMs: () => 0,
      context: () => unlocked,
      close: () => void calls.push('player closed'),
    }),
    onPageHide(leave) {
      pageHideListeners.add(leave)
      return () => pageHideListeners.delete(leave)
    },
  }
  return { ...fake, fake, parts }
}

export const denied = async (): Promise<void> => {
  throw new ParlanceError('microphone_denied', 'no')
}
