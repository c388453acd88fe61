/**
 * A page with the client library in it, for tests to ask by `page.…`. It keeps what the library tells, what it asked of the browser,
 * and how loud and how open-mouthed the Agent was.
 */
import { createParlanceClient } from '@parlance/client'

const events = []
const tracks = []
const peers = []
let sessionsAsked = 0

const { getUserMedia } = MediaDevices.prototype
let microphonesAsked = 0
MediaDevices.prototype.getUserMedia = async function (...request) {
  microphonesAsked++
  const stream = await getUserMedia.apply(this, request)
  tracks.push(...stream.getTracks())
  return stream
}
const { setLocalDescription } = RTCPeerConnection.prototype
RTCPeerConnection.prototype.setLocalDescription = function (...description) {
  peers.push(this)
  return setLocalDescription.apply(this, description)
}
const { fetch } = globalThis
globalThis.fetch = (url, init) => {
  if (init?.method === 'POST' && /\/sessions$/.test(url)) sessionsAsked++
  return fetch(url, init)
}

const names = [
  ...['connectionState', 'session', 'transcript', 'agentSpeaking', 'agentState', 'remoteAudioTrack', 'error'],
  ...['disconnected', 'ending', 'interruption', 'toolCall', 'metrics', 'audioBlocked', 'alignment'],
]
/** What can leave the page. */
const plain = (payload) => {
  if (payload instanceof Error) return { code: payload.code, message: payload.message, requestId: payload.requestId }
  return payload instanceof MediaStreamTrack ? payload.kind : payload
}

let client
const vowels = ['aa', 'E', 'I', 'O', 'U']
const lips = []
setInterval(() => {
  const heard = client?.heardSpeech()
  const viseme = heard?.visemes.find(
    ({ start_ms, end_ms }) => start_ms <= heard.positionMs && heard.positionMs < end_ms,
  )
  if (client?.session == null) return
  lips.push({
    atMs: performance.now(),
    speechId: heard?.speechId,
    open: viseme && vowels.includes(viseme.id),
    loud: client.getOutputLevel(),
  })
}, 10)

const until = async (found) => {
  for (;;) {
    const value = found()
    if (value !== undefined) return value
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
const fits = (payload, fields) =>
  typeof fields === 'object' && fields !== null
    ? Object.entries(fields).every(([name, value]) => payload?.[name] === value)
    : payload === fields

globalThis.page = {
  events,
  lips,
  peers,
  /** A client of its own, whose events are the ones that are kept from now on. */
  make(options) {
    events.length = 0
    tracks.length = 0
    peers.length = 0
    lips.length = 0
    sessionsAsked = 0
    microphonesAsked = 0
    client = createParlanceClient(options)
    for (const name of names) {
      client.on(name, (payload) => events.push({ name, payload: plain(payload), atMs: performance.now() }))
    }
    globalThis.client = client
  },
  /** What it rejects with, or the session. */
  connect: (options) => client.connect(options).then(({ id }) => ({ id }), plain),
  /** The first event of this name with these fields, when it has come, and it is forgotten. */
  next: (name, fields = {}) =>
    until(() => {
      const index = events.findIndex(
        (event) => event.name === name && (fields === undefined || fits(event.payload, fields)),
      )
      return index < 0 ? undefined : (events.splice(index, 1)[0].payload ?? null)
    }),
  count: (name) => events.filter((event) => event.name === name).length,
  states: () => events.filter(({ name }) => name === 'connectionState').map(({ payload }) => payload),
  asked: () => ({ sessions: sessionsAsked, microphones: microphonesAsked }),
  microphonesOn: () => tracks.filter(({ readyState }) => readyState === 'live').length,
  until,
}

// A page that connects by itself, without a click.
const own = new URL(location.href).searchParams.get('connect')
if (own !== null) {
  page.make({
    ...JSON.parse(own),
    sessionToken: () => fetch(`/token/${JSON.parse(own).agentId}`).then((it) => it.text()),
  })
  page.connect({ textOnly: true })
}
