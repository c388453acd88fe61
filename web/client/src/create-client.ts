import { createAgentAudio } from './agent-audio.js'
import { type BrowserParts, browserParts } from './browser-parts.js'
import { type CheckedConnectOptions, checkConnectOptions, checkOptions } from './checked-options.js'
import type { ParlanceEvents } from './client-events.js'
import { ClientSessions } from './client-sessions.js'
import { createEmitter } from './emitter.js'
import type { AudioDevice, ParlanceClient, ParlanceClientOptions, PlayingSpeech } from './parlance-client.js'
import type { ParlanceError } from './parlance-error.js'
import { createTools } from './tools.js'
import { createUserInput } from './user-input.js'

/** Empty on pages without a secure context. */
const listDevices = async (): Promise<AudioDevice[]> => {
  const devices = navigator.mediaDevices as MediaDevices | undefined
  return ((await devices?.enumerateDevices()) ?? []).flatMap(({ deviceId: id, kind, label }): AudioDevice[] =>
    kind === 'videoinput' ? [] : [{ id, kind: kind === 'audioinput' ? 'input' : 'output', label }],
  )
}

/** Does no I/O until `connect`. Throws `ParlanceError` `invalid_options`, such as "agentId must be a UUID". */
export const createParlanceClient = (options: ParlanceClientOptions): ParlanceClient =>
  createClient(options, browserParts)

export const createClient = (options: ParlanceClientOptions, parts: BrowserParts): ParlanceClient => {
  const { origin, transport } = checkOptions(options)
  const { on, emit } = createEmitter<ParlanceEvents>()
  const tools = createTools()
  const audio = createAgentAudio({
    player: parts.createAgentPlayer(transport),
    microphone: () => sessions.opened?.microphone.track(),
    onBlocked: (isBlocked) => emit('audioBlocked', isBlocked),
  })
  const input = createUserInput(() => sessions.opened)
  const sessions = new ClientSessions({ client: options, origin, transport, parts, emit, audio, input, tools })

  const playingSpeech = (): PlayingSpeech | undefined => sessions.opened?.playingSpeech(audio.latencyMs())

  return {
    on,
    apiOrigin: origin,
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
    listDevices,
    speechPosition(speechId) {
      const playing = playingSpeech()
      return playing?.speechId === speechId ? playing.positionMs : undefined
    },
    playingSpeech,
  }
}
