import type { AgentPlayer } from './agent-player.js'
import { checkVolume } from './checked-options.js'
import type { ParlanceClient } from './parlance-client.js'
import { createReported } from './reported.js'

/** Measures how loud a track is. Measuring begins with the first call. */
interface LevelMeter {
  /** The peak of the last 20 ms of this track, from 0 to 1; 0 without one. */
  level(context: AudioContext | undefined, track: MediaStreamTrack | undefined): number
  close(): void
}

const createLevelMeter = (): LevelMeter => {
  let measured:
    | { readonly track: MediaStreamTrack; readonly source: AudioNode; readonly analyser: AnalyserNode }
    | undefined

  const close = (): void => {
    measured?.source.disconnect()
    measured = undefined
  }
  const measure = (context: AudioContext, track: MediaStreamTrack): AnalyserNode => {
    if (measured?.track === track) return measured.analyser
    close()
    const source = context.createMediaStreamSource(new MediaStream([track]))
    const analyser = new AnalyserNode(context, { fftSize: 1024 })
    source.connect(analyser)
    measured = { track, source, analyser }
    return analyser
  }

  return {
    level(context, track) {
      if (context === undefined || track === undefined) return 0
      const analyser = measure(context, track)
      const samples = new Float32Array(analyser.fftSize)
      analyser.getFloatTimeDomainData(samples)
      return samples.reduce((peak, sample) => Math.min(1, Math.max(peak, Math.abs(sample))), 0)
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
}

/** The audio of the page: the Agent's voice, and how loud both sides are. */
export interface AgentAudio {
  readonly controls: Pick<
    ParlanceClient,
    'setVolume' | 'resumeAudio' | 'getInputLevel' | 'getOutputLevel' | 'setOutputDevice'
  >
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

export const createAgentAudio = ({ player, microphone, onBlocked }: AgentAudioOptions): AgentAudio => {
  const inputMeter = createLevelMeter()
  const outputMeter = createLevelMeter()
  const blocked = createReported<boolean>(false, onBlocked)
  let agentTrack: MediaStreamTrack | undefined

  return {
    controls: {
      setVolume(volume) {
        checkVolume(volume)
        player.setVolume(volume)
      },
      async resumeAudio() {
        blocked.set(!(await player.resume()))
      },
      getInputLevel: () => inputMeter.level(player.context(), microphone()),
      getOutputLevel: () => outputMeter.level(player.context(), agentTrack),
      setOutputDevice: player.setDevice,
    },
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
