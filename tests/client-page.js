/**
 * A page with the client library, which tests call as `page.…`. It records the library's events, what the library requested from
 * the browser, and the loudness and the visemes of the Agent.
 */
import { createParlanceClient } from '@parlance/client'
import { useParlance } from '@parlance/react'
import { createElement, StrictMode, useEffect } from 'react'
import { createRoot } from 'react-dom/client'

const events = []
const tracks = []
let sessionsAsked = 0

const { getUserMedia } = MediaDevices.prototype
let microphonesAsked = 0
MediaDevices.prototype.getUserMedia = async function (...request) {
  microphonesAsked++
  const stream = await getUserMedia.apply(this, request)
  tracks.push(...stream.getTracks())
  return stream
}
const { request: requestWakeLock } = WakeLock.prototype
const wakeLocks = []
WakeLock.prototype.request = async function (...request) {
  const lock = await requestWakeLock.apply(this, request)
  wakeLocks.push(lock)
  return lock
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
/** A form of the payload that can be passed out of the page. */
const plain = (payload) => {
  if (payload instanceof Error) return { code: payload.code, message: payload.message, requestId: payload.requestId }
  return payload instanceof MediaStreamTrack ? payload.kind : payload
}

let client
const vowels = ['aa', 'E', 'I', 'O', 'U']
const lips = []
setInterval(() => {
  const playing = client?.playingSpeech()
  const viseme = playing?.visemes.find(
    ({ start_ms, end_ms }) => start_ms <= playing.positionMs && playing.positionMs < end_ms,
  )
  if (client?.session == null) return
  lips.push({
    atMs: performance.now(),
    speechId: playing?.speechId,
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

const finalTranscripts = []
const reset = () => {
  for (const kept of [events, tracks, lips, finalTranscripts, wakeLocks]) kept.length = 0
  sessionsAsked = 0
  microphonesAsked = 0
}

let renders = 0
let root
/** Connects when it mounts. In strict mode React runs each effect, cleans it up and runs it again. */
const Talk = ({ options, onTranscript }) => {
  const parlance = useParlance({
    ...options,
    on: { transcript: onTranscript },
    avatar: () => import('@parlance/avatar'),
  })
  const { connect, connectionState, transcript, agentSpeaking, error, avatarRef, avatarLoad } = parlance
  globalThis.parlance = parlance
  client = parlance.client
  renders++
  useEffect(() => {
    connect({ inputMode: 'automatic' })
  }, [connect])
  const messages = transcript.map(({ id, text }) => createElement('p', { key: id }, text))
  const state = [connectionState, String(agentSpeaking), avatarLoad.status, error?.code ?? 'none'].join(' ')
  return createElement('main', {}, createElement('i', {}, state), messages, createElement('div', { ref: avatarRef }))
}

globalThis.page = {
  /** Renders the component. Final transcripts are recorded with the `callback` of the latest call. */
  mount(options, callback) {
    root ??= createRoot(document.body.appendChild(document.createElement('div')))
    const onTranscript = ({ text, final }) => final && finalTranscripts.push(`${callback}: ${text}`)
    root.render(createElement(StrictMode, {}, createElement(Talk, { options, onTranscript })))
  },
  unmount() {
    root.unmount()
    root = undefined
  },
  finalTranscripts,
  renders: () => renders,
  reset,
  events,
  lips,
  /** Creates a client. From now on only its events are recorded. */
  make(options) {
    reset()
    client = createParlanceClient(options)
    for (const name of names) {
      client.on(name, (payload) => events.push({ name, payload: plain(payload), atMs: performance.now() }))
    }
    globalThis.client = client
  },
  /** Resolves to the id of the session, or to the error. */
  connect: (options) => client.connect(options).then(({ id }) => ({ id }), plain),
  /** Resolves to the payload of the first event of this name with these fields, once it has arrived, and removes the event. */
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
  wakeLocks,
  /** A track of the page's own: a tone of this frequency. */
  async toneTrack(frequency) {
    const context = new AudioContext()
    const tone = new OscillatorNode(context, { frequency })
    const { stream } = tone.connect(context.createMediaStreamDestination())
    tone.start()
    await context.resume()
    return stream.getAudioTracks()[0]
  },
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
