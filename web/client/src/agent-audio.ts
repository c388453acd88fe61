import type { AgentPlayer } from './agent-player.js'
import { checkVolume } from './checked-options.js'
import { createReported } from './emitter.js'
import type { ParlanceClient } from './parlance-client.js'

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
  /** Must be called within a click. */
  unlock(): void
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
        checkVolume(next)
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
