import { checkVolume } from './checked-options.js'
import { createLevelMeter } from './level-meter.js'
import type { ParlanceClient } from './parlance-client.js'
import { createReported } from './reported.js'
import type { Speaker } from './speaker.js'

export interface AgentAudioOptions {
  readonly speaker: Speaker
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
  /** Without a session nothing is blocked. */
  unblock(): void
}

export const createAgentAudio = ({ speaker, microphone, onBlocked }: AgentAudioOptions): AgentAudio => {
  const inputMeter = createLevelMeter()
  const outputMeter = createLevelMeter()
  const blocked = createReported<boolean>(false, onBlocked)
  let agentTrack: MediaStreamTrack | undefined

  return {
    controls: {
      setVolume(volume) {
        checkVolume(volume)
        speaker.setVolume(volume)
      },
      async resumeAudio() {
        blocked.set(!(await speaker.resume()))
      },
      getInputLevel: () => inputMeter.level(speaker.context(), microphone()),
      getOutputLevel: () => outputMeter.level(speaker.context(), agentTrack),
      setOutputDevice: speaker.setDevice,
    },
    unlock: speaker.unlock,
    play(track, isCurrent) {
      agentTrack = track
      void speaker.play(track).then((isPlaying) => {
        if (isCurrent()) blocked.set(!isPlaying)
      })
    },
    context: speaker.context,
    latencyMs: speaker.latencyMs,
    close() {
      agentTrack = undefined
      inputMeter.close()
      outputMeter.close()
      speaker.close()
    },
    unblock: () => blocked.set(false),
  }
}
