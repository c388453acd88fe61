import { createReported } from './emitter.js'
import type { ParlanceClient } from './parlance-client.js'
import { ParlanceError } from './parlance-error.js'

/**
 * Plays the audio of the Agent.
 *
 * - Browsers let a page start audio within a click, and remember that for the element that was played. So all sessions
 *   share one element, and `unlock` plays it silently before the first `await`.
 * - An element plays, not a Web Audio graph: not every browser cancels the echo of a graph.
 */
export interface AgentPlayer {
  /** Must be called within a click. `textOnly`: no microphone will be used. */
  unlock(textOnly: boolean): void
  /** Resolves with whether the browser allows playback. */
  play(track: MediaStreamTrack): Promise<boolean>
  /** Tries again after the browser did not allow playback. */
  resume(): Promise<boolean>
  setVolume(volume: number): void
  /** Rejects with a `ParlanceError`. */
  setDevice(id: string): Promise<void>
  /** The output latency of the hardware. */
  latencyMs(): number
  /** Defined while unlocked. It runs once the browser allows playback. */
  context(): AudioContext | undefined
  /** Stops playback and frees the hardware. */
  close(): void
}

/**
 * iOS chooses the loudspeaker, and whether the mute switch silences a page, by what the page is about to do. By itself it
 * changes that in the middle of connecting, with a gap in the audio. Other browsers do not have this.
 */
export const setAudioSession = (type: 'auto' | 'playback' | 'play-and-record'): void => {
  const { audioSession } = globalThis.navigator as { audioSession?: { type: string } }
  if (audioSession !== undefined) audioSession.type = type
}

/** `contextOptions` are those of the audio context. */
export const createAgentPlayer = (contextOptions?: AudioContextOptions): AgentPlayer => {
  let element: HTMLAudioElement | undefined
  let context: AudioContext | undefined
  let volume = 1

  const open = (): HTMLAudioElement => {
    element ??= new Audio()
    element.volume = volume
    return element
  }

  const start = async (): Promise<boolean> => {
    // Browsers allow the context and the element together.
    void context?.resume().catch(() => {})
    try {
      await open().play()
      return true
    } catch (error) {
      return !(error instanceof Error && error.name === 'NotAllowedError')
    }
  }

  return {
    unlock(textOnly) {
      setAudioSession(textOnly ? 'playback' : 'play-and-record')
      const { srcObject } = open()
      if (srcObject === null) open().srcObject = new MediaStream()
      context ??= new AudioContext(contextOptions)
      void start()
    },
    play(track) {
      open().srcObject = new MediaStream([track])
      return start()
    },
    resume: start,
    setVolume(value) {
      volume = value
      if (element !== undefined) element.volume = value
    },
    async setDevice(id) {
      const own = open()
      if (!('setSinkId' in own)) throw new ParlanceError('unsupported', 'This browser chooses the speaker itself.')
      await own.setSinkId(id).catch((cause: unknown) => {
        throw new ParlanceError('device_not_found', 'There is no such speaker, or it is not allowed.', { cause })
      })
    },
    latencyMs: () => (context?.outputLatency ?? 0) * 1000,
    context: () => context,
    close() {
      if (element !== undefined) element.srcObject = null
      void context?.close().catch(() => {})
      context = undefined
      setAudioSession('auto')
    },
  }
}

const fftSize = 1024

/** Measures a track. Measuring begins with the first call, and everything is 0 without a track. */
interface Meter {
  /** The peak of the last 20 ms, from 0 to 1. */
  level(): number
  frequencies(): Uint8Array<ArrayBuffer>
  close(): void
}

const createMeter = (context: () => AudioContext | undefined, track: () => MediaStreamTrack | undefined): Meter => {
  let measured:
    | { readonly track: MediaStreamTrack; readonly source: AudioNode; readonly analyser: AnalyserNode }
    | undefined

  const close = (): void => {
    measured?.source.disconnect()
    measured = undefined
  }
  const analyser = (): AnalyserNode | undefined => {
    const [openContext, current] = [context(), track()]
    if (openContext === undefined || current === undefined) return undefined
    if (measured?.track === current) return measured.analyser
    close()
    const source = openContext.createMediaStreamSource(new MediaStream([current]))
    measured = { track: current, source, analyser: new AnalyserNode(openContext, { fftSize }) }
    source.connect(measured.analyser)
    return measured.analyser
  }

  return {
    level() {
      const samples = new Float32Array(fftSize)
      analyser()?.getFloatTimeDomainData(samples)
      return samples.reduce((peak, sample) => Math.min(1, Math.max(peak, Math.abs(sample))), 0)
    },
    frequencies() {
      const bins = new Uint8Array(fftSize / 2)
      analyser()?.getByteFrequencyData(bins)
      return bins
    },
    close,
  }
}

export interface AgentAudioOptions {
  readonly player: AgentPlayer
  /** The track of the microphone that is on. */
  readonly microphone: () => MediaStreamTrack | undefined
  /** The browser does not allow playback, or allows it again. */
  readonly onBlocked: (isBlocked: boolean) => void
  readonly onVolume: (volume: number) => void
}

/** The audio of the page: the Agent's voice, and how loud both sides are. */
export interface AgentAudio {
  readonly controls: Pick<
    ParlanceClient,
    | 'setVolume'
    | 'resumeAudio'
    | 'getInputLevel'
    | 'getOutputLevel'
    | 'getInputFrequencyData'
    | 'getOutputFrequencyData'
    | 'setOutputDevice'
  >
  volume(): number
  isBlocked(): boolean
  /** Must be called within a click. `textOnly`: no microphone will be used. */
  unlock(textOnly: boolean): void
  /** Plays the Agent's track. Reports whether the browser allows it while `isCurrent`. */
  play(track: MediaStreamTrack, isCurrent: () => boolean): void
  /** Defined while unlocked. */
  context(): AudioContext | undefined
  /** The output latency of the hardware. */
  latencyMs(): number
  /** Stops playback and frees the hardware. */
  close(): void
  /** Resets the report of blocked playback at the end of a session. */
  unblock(): void
}

export const createAgentAudio = (options: AgentAudioOptions): AgentAudio => {
  const { player, microphone, onBlocked, onVolume } = options
  const inputMeter = createMeter(player.context, microphone)
  const outputMeter = createMeter(player.context, () => agentTrack)
  const volume = createReported<number>(1, onVolume)
  const blocked = createReported<boolean>(false, onBlocked)
  let agentTrack: MediaStreamTrack | undefined

  return {
    controls: {
      setVolume(next) {
        if (!(next >= 0 && next <= 1)) throw new ParlanceError('invalid_options', 'The volume must be from 0 to 1.')
        player.setVolume(next)
        volume.set(next)
      },
      async resumeAudio() {
        blocked.set(!(await player.resume()))
      },
      getInputLevel: inputMeter.level,
      getOutputLevel: outputMeter.level,
      getInputFrequencyData: inputMeter.frequencies,
      getOutputFrequencyData: outputMeter.frequencies,
      setOutputDevice: player.setDevice,
    },
    volume: volume.get,
    isBlocked: blocked.get,
    unlock: player.unlock,
    play(track, isCurrent) {
      agentTrack = track
      void player.play(track).then((isPlaying) => {
        if (isCurrent()) blocked.set(!isPlaying)
      })
    },
    context: player.context,
    latencyMs: player.latencyMs,
    close() {
      agentTrack = undefined
      inputMeter.close()
      outputMeter.close()
      player.close()
    },
    unblock: () => blocked.set(false),
  }
}
