import { encodeFrame, encodeJsonFrame, maxFrameBytes, type SpeechMarks } from '@parlance/engine-protocol'
import type { CommandPipe } from './command-pipe.js'
import { report } from './report-pipe.js'

/** Where a job's speech goes, as soon as it is made. */
export interface SpeechOutput {
  /** Sends mono s16 samples at the engine's rate; answers whether more is wanted. They may be overwritten afterwards. */
  audio(samples: Int16Array): boolean
  /** Times from the job's first sample, within the audio sent so far. Each batch goes on where the last one ended. */
  marks(marks: SpeechMarks): void
  /** Whether anybody still listens; for an engine with nothing to send yet. */
  isWanted(): boolean
}

/** Well within a frame, and whole samples. */
const maxAudioBytes = maxFrameBytes / 2

/** `commands` is looked into with each block, since the engine may not let the event loop turn. */
export const createSpeechOutput = (job: number, commands: CommandPipe): SpeechOutput => {
  const isWanted = () => {
    commands.poll()
    return !commands.isCancelled(job)
  }
  return {
    audio: ({ buffer, byteOffset, byteLength }) => {
      if (!isWanted()) return false
      for (let sent = 0; sent < byteLength; sent += maxAudioBytes) {
        const length = Math.min(maxAudioBytes, byteLength - sent)
        report(encodeFrame('audio', job, new Uint8Array(buffer, byteOffset + sent, length)))
      }
      return true
    },
    marks: (marks) => report(encodeJsonFrame('marks', job, marks)),
    isWanted,
  }
}
