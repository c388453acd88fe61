/**
 * A page with the client library, which tests call as `page.…`. It records the library's events, what the library requested from
 * the browser, and the loudness and the visemes of the Agent.
 */
import { createParlanceClient } from '@parlance/client'
import { createAudioPlayer, createSpeechClient } from '@parlance/client/speech'
import { useParlance } from '@parlance/react'
import { createElement, StrictMode, useEffect } from 'react'
import { createRoot } from 'react-dom/client'

const events = []
const tracks = []
let sessionsAsked = 0
let traceparent

const { getUserMedia } = MediaDevices.prototype
let microphonesAsked = 0
let isMicrophoneDenied = false
MediaDevices.prototype.getUserMedia = async function (...request) {
  microphonesAsked++
  if (isMicrophoneDenied) throw new DOMException('The microphone is denied.', 'NotAllowedError')
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
const { send: sendFrame } = WebSocket.prototype
let framesSent = 0
WebSocket.prototype.send = function (data) {
  if (data.byteLength === 960) framesSent++
  sendFrame.call(this, data)
}
const { fetch } = globalThis
globalThis.fetch = (url, init) => {
  if (init?.method === 'POST' && /\/sessions$/.test(url)) {
    sessionsAsked++
    traceparent = new Headers(init.headers).get('traceparent')
  }
  return fetch(url, init)
}

const names = [
  ...['connectionState', 'session', 'transcript', 'agentSpeaking', 'agentState', 'remoteAudioTrack', 'error'],
  ...['disconnected', 'ending', 'interruption', 'toolCall', 'metrics', 'audioBlocked', 'alignment'],
  ...['userSpeaking', 'muted', 'volume', 'devicesChanged'],
]
/** A form of the payload that can be passed out of the page. */
const plain = (payload) => {
  if (payload instanceof Error) return { code: payload.code, message: payload.message, requestId: payload.requestId }
  return payload instanceof MediaStreamTrack ? payload.kind : payload
}

let client
let own
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
  framesSent = 0
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
  /** The header of the latest start of a session. */
  traceparent: () => traceparent,
  wakeLocks,
  /** Does what a browser does when the user allows or denies the microphone. */
  setMicrophone(setting) {
    isMicrophoneDenied = setting === 'denied'
  },
  /** How many frames of audio the WebSocket has sent. */
  framesSent: () => framesSent,
  /** A track of the page's own: silence, on which `tone` and `say` sound. */
  async ownTrack() {
    const context = new AudioContext()
    own = context.createMediaStreamDestination()
    await context.resume()
    return own.stream.getAudioTracks()[0]
  },
  tone(frequency) {
    const tone = new OscillatorNode(own.context, { frequency })
    tone.connect(own)
    tone.start()
  },
  /** Plays a file, given in Base64. Resolves when it has ended. */
  async say(file) {
    const bytes = Uint8Array.from(atob(file), (byte) => byte.charCodeAt(0))
    const source = new AudioBufferSourceNode(own.context, { buffer: await own.context.decodeAudioData(bytes.buffer) })
    source.connect(own)
    source.start()
    await new Promise((resolve) => source.addEventListener('ended', resolve, { once: true }))
  },
  /** Has a text spoken without an Agent. Resolves when it has been played, with its words, its times and its end. */
  async speak({ apiOrigin, token, ...request }) {
    const client = createSpeechClient({ apiOrigin, streamToken: () => token })
    const player = createAudioPlayer()
    await player.resume()
    const speech = client.speak(request)
    const words = []
    for await (const part of speech) {
      if (part.type === 'audio') player.play(part.samples)
      else words.push(...part.words.map(({ text }) => text))
    }
    const begunMs = player.positionMs()
    await player.played()
    const times = { begunMs, endedMs: player.positionMs(), queuedMs: player.queuedMs() }
    player.close()
    client.close()
    return { words, ...times, end: await speech.ended }
  },
  microphonesOn: () => tracks.filter(({ readyState }) => readyState === 'live').length,
  until,
}

// A page that connects by itself, without a click.
const given = new URL(location.href).searchParams.get('connect')
if (given !== null) {
  page.make({
    ...JSON.parse(given),
    sessionToken: () => fetch(`/token/${JSON.parse(given).agentId}`).then((it) => it.text()),
  })
  // An expression that a test evaluates counts as a click of the user, so the test reads this in the log.
  client.on('audioBlocked', (isBlocked) => console.info(`audio blocked: ${isBlocked}`))
  page.connect({ microphone: false })
}
