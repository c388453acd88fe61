import { createAgentAudio } from './agent-audio.js'
import { type BrowserParts, browserParts } from './browser-parts.js'
import type { AudioLevels, ParlanceEvents } from './client-events.js'
import { ClientSessions } from './client-sessions.js'
import { createDevices } from './devices.js'
import { createEmitter } from './emitter.js'
import { isTrack } from './microphone.js'
import type { CheckedConnectOptions } from './open-session.js'
import type {
  ConnectOptions,
  ParlanceClient,
  ParlanceClientOptions,
  PlayingSpeech,
  TransportKind,
} from './parlance-client.js'
import { ParlanceError } from './parlance-error.js'
import { createTools } from './tools.js'
import { createUserInput } from './user-input.js'

const invalid = (message: string): ParlanceError => new ParlanceError('invalid_options', message)

const isUuid = (text: unknown): boolean =>
  typeof text === 'string' && /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text)

/** Throws `ParlanceError` `invalid_options`. The origin has no slash at its end. */
const checkOptions = (options: ParlanceClientOptions): { origin: string; transport: TransportKind } => {
  const { agentId, sessionToken, apiOrigin, transport = 'webrtc', traceparent } = options
  if (!isUuid(agentId)) throw invalid('agentId must be a UUID: the id of a published Agent, not its slug.')
  if (typeof sessionToken !== 'function') throw invalid('sessionToken must be a function that returns a fresh token.')
  // A page that is rendered on a server has no origin, and does not connect.
  const origin = apiOrigin ?? globalThis.location?.origin ?? ''
  if (apiOrigin !== undefined && !/^https?:\/\/[^/]/.test(origin)) {
    throw invalid('apiOrigin must be an address such as https://voice.example.com.')
  }
  const kind = typeof transport === 'object' ? 'webrtc' : transport
  if (kind !== 'webrtc' && kind !== 'websocket') throw invalid('transport must be webrtc or websocket.')
  if (traceparent !== undefined && typeof traceparent !== 'function') {
    throw invalid('traceparent must be a function that returns a header, or undefined.')
  }
  return { transport: kind, origin: origin.replace(/\/+$/, '') }
}

/** Throws `ParlanceError` `invalid_options`. */
const checkConnectOptions = (options: ConnectOptions): CheckedConnectOptions => {
  const { inputMode = 'push-to-talk', textOnly = false, microphone = {}, overrides, signal } = options
  const isTyped = textOnly || microphone === false
  if (inputMode !== 'push-to-talk' && inputMode !== 'automatic') {
    throw invalid('inputMode must be push-to-talk or automatic.')
  }
  if (microphone !== false && isTrack(microphone) && microphone.kind !== 'audio')
    throw invalid('microphone must be a track of audio.')
  return {
    inputMode,
    textOnly: isTyped,
    modalities: textOnly ? ['text'] : ['audio', 'text'],
    microphone: microphone === false ? {} : microphone,
    overrides,
    signal,
  }
}

const levelsIntervalMs = 50

/** Does no I/O until `connect`. Throws `ParlanceError` `invalid_options`, such as "agentId must be a UUID". */
export const createParlanceClient = (options: ParlanceClientOptions): ParlanceClient =>
  createClient(options, typeof options.transport === 'object' ? options.transport.parts : browserParts)

export const createClient = (options: ParlanceClientOptions, parts: BrowserParts): ParlanceClient => {
  const { origin, transport } = checkOptions(options)
  const stopFor = new Map<keyof ParlanceEvents, () => void>()
  const { on, emit } = createEmitter<ParlanceEvents>((name, isListening) => {
    stopFor.get(name)?.()
    if (isListening && name === 'levels') stopFor.set(name, watchLevels())
    else if (isListening && name === 'devicesChanged') stopFor.set(name, devices.watch())
    else stopFor.delete(name)
  })
  const devices = createDevices(parts.mediaDevices, (all) => emit('devicesChanged', all))
  const tools = createTools()
  const audio = createAgentAudio({
    player: parts.createAgentPlayer(transport),
    microphone: () => sessions.opened?.microphone.track(),
    onBlocked: (isBlocked) => emit('audioBlocked', isBlocked),
    onVolume: (volume) => emit('volume', volume),
  })
  const input = createUserInput(
    () => sessions.opened,
    (muted) => emit('muted', muted),
  )
  const sessions = new ClientSessions({ client: options, origin, transport, parts, emit, audio, input, tools, devices })

  /** Emits the levels when they have changed. Returns a function that stops it. */
  const watchLevels = (): (() => void) => {
    let last: AudioLevels = { input: 0, output: 0 }
    const timer = setInterval(() => {
      const levels = { input: audio.controls.getInputLevel(), output: audio.controls.getOutputLevel() }
      if (levels.input !== last.input || levels.output !== last.output) emit('levels', levels)
      last = levels
    }, levelsIntervalMs)
    return () => clearInterval(timer)
  }

  const playingSpeech = (): PlayingSpeech | undefined => sessions.opened?.playingSpeech(audio.latencyMs())

  return {
    on,
    apiOrigin: origin,
    get muted() {
      return input.muted()
    },
    get volume() {
      return audio.volume()
    },
    get audioBlocked() {
      return audio.isBlocked()
    },
    get messages() {
      return sessions.history.messages()
    },
    get history() {
      return sessions.history.items()
    },
    get agentState() {
      return sessions.agentState.get()
    },
    get userSpeaking() {
      return sessions.userSpeaking.get()
    },
    get inputDevices() {
      return devices.inputs()
    },
    get connectionState() {
      return sessions.connectionState
    },
    get session() {
      return sessions.opened?.session ?? null
    },
    connect(asked = {}) {
      if (sessions.connected !== undefined) return sessions.connected
      let checked: CheckedConnectOptions
      try {
        checked = checkConnectOptions(asked)
      } catch (error) {
        emit('error', error as ParlanceError)
        return Promise.reject(error)
      }
      return sessions.connect(checked)
    },
    disconnect: () => sessions.disconnect(false),
    ...input.controls,
    ...audio.controls,
    registerTool: tools.register,
    sendFeedback: (feedback) => sessions.giveFeedback(feedback),
    listDevices: async () => [...(await devices.list())],
    speechPosition(speechId) {
      const playing = playingSpeech()
      return playing?.speechId === speechId ? playing.positionMs : undefined
    },
    playingSpeech,
  }
}
