import type { BrowserParts } from '../src/browser-parts.js'
import type { LinkListener, OpenLink } from '../src/link.js'
import type { Microphone } from '../src/microphone.js'
import { ParlanceError } from '../src/parlance-error.js'

/** What of the browser a client needs, as a test plays it. Calls are kept in the order in which they came. */
export const createFakeBrowser = () => {
  const calls: string[] = []
  const sent: { readonly event: string; readonly [name: string]: unknown }[] = []
  const links: { listener: LinkListener; closed: boolean }[] = []
  const microphones: { track: { enabled: boolean }; on: boolean; lose(): void }[] = []
  const requests: { method: string; url: string; authorization: string; body: unknown }[] = []
  const leavers = new Set<() => void>()
  const fake = {
    calls,
    sent,
    links,
    microphones,
    requests,
    /** Whether the user allows the microphone; it may take him a while. */
    microphone: async (): Promise<void> => {},
    audible: true,
    /** What the service answers a start with. */
    start: async (): Promise<Response> =>
      Response.json(
        {
          session_id: `session-${links.length}`,
          agent_id: 'agent',
          publication: { id: 'publication', version: 1 },
          sdp: { type: 'answer', sdp: 'v=0' },
          max_duration_seconds: 600,
          avatar: null,
        },
        { status: 201 },
      ),
    /** Whether the service says that it is ready as soon as the link is open. */
    ready: true,
    /** The service says this in the session that was opened last. */
    say(event: object, link = links.at(-1)) {
      link?.listener.onMessage(JSON.stringify(event))
    },
    leavePage: () => [...leavers].forEach((leave) => void leave()),
    microphonesOn: () => microphones.filter(({ on }) => on).length,
  }

  const openLink: OpenLink = async ({ iceServers, start, listener }) => {
    const link = { listener, closed: false }
    await iceServers()
    await start({ transport: 'webrtc' })
    links.push(link)
    if (fake.ready) queueMicrotask(() => fake.say({ event: 'session.ready', session_id: 'session' }, link))
    return {
      send: (message) => void sent.push(JSON.parse(message)),
      setMicrophone: async () => void calls.push('microphone replaced'),
      audioMoment: () => undefined,
      sentSilenceMs: 100,
      close() {
        link.closed = true
      },
    }
  }

  const parts: BrowserParts = {
    fetch: async (url, init) => {
      const method = init?.method ?? 'GET'
      const { authorization = '' } = (init?.headers ?? {}) as Record<string, string>
      requests.push({ method, url: String(url), authorization, body: init?.body && JSON.parse(String(init.body)) })
      if (method === 'POST') return fake.start()
      return method === 'DELETE'
        ? new Response(null, { status: 204 })
        : Response.json({ ice_servers: [], ttl_seconds: 600 })
    },
    async openMicrophone({ onLost }) {
      calls.push('microphone asked')
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
    openLink: { webrtc: openLink, websocket: openLink },
    createSpeaker: () => ({
      unlock: () => void calls.push('unlocked'),
      play: async () => fake.audible,
      resume: async () => true,
      setVolume: () => {},
      setDevice: async () => {},
      latencyMs: () => 0,
      context: () => undefined,
      close: () => void calls.push('speaker closed'),
    }),
    onPageGone(leave) {
      leavers.add(leave)
      return () => leavers.delete(leave)
    },
  }
  return { ...fake, fake, parts }
}

export const denied = async (): Promise<void> => {
  throw new ParlanceError('microphone_denied', 'no')
}
