import { concatPcm } from '@parlance/audio'
import { frameMs } from '../media/transport.js'

/** The end of the utterance in progress, for the turn detector. */
export interface RecentAudio {
  /** Restarts with the audio from before the start of an utterance: frames of 20 ms, mono PCM at 16 kHz. */
  begin(preRoll: readonly Int16Array[]): void
  push(frame: Int16Array): void
  /** Returns the audio since `begin`, at most the last `maxMs` of it. */
  samples(): Int16Array
}

export const createRecentAudio = (maxMs: number): RecentAudio => {
  const maxFrames = Math.ceil(maxMs / frameMs)
  let frames: Int16Array[] = []

  return {
    begin(preRoll) {
      frames = preRoll.slice(-maxFrames)
    },
    push(frame) {
      frames.push(frame)
      if (frames.length > maxFrames) frames.shift()
    },
    samples: () => concatPcm(frames),
  }
}
