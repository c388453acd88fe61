/**
 * Where a job's speech goes. What is sent costs both sides a wake-up, so it gathers: where somebody waits for it, the first
 * block leaves at once and gives him something to go on with. A slow engine's blocks are not kept back, and nothing is once
 * the job is over.
 */
import { encodeFrame, encodeJsonFrame, maxFrameBytes, type SpeakCommand, type SpeechMarks } from '../protocol/index.js'
import type { CommandPipe } from './command-pipe.js'
import { report } from './report-pipe.js'

export interface SpeechOutput {
  /** Takes mono s16 samples at the engine's rate; answers whether more is wanted. They may be overwritten afterwards. */
  audio(samples: Int16Array): boolean
  /** Times from the job's first sample, within the audio so far. Each batch goes on where the last one ended. */
  marks(marks: SpeechMarks): void
  /** Whether anybody still listens; for an engine with nothing to send yet. */
  isWanted(): boolean
}

/** Well within a frame, and whole samples. */
const mostAudioBytes = maxFrameBytes / 2
/** Some three seconds: most sentences are two writes. */
const mostGatheredBytes = 128 * 1024
/** Audio that has waited for so long goes with the block that comes now. */
const longestWaitMs = { awaited: 40, ahead: 60 }

export interface JobOutput extends SpeechOutput {
  /** Sends what is left, `marks` that are the job's last, and that it is over: all of it at once. */
  end(marks?: SpeechMarks): void
}

/** `commands` is looked into with each block, since the engine may not let the event loop turn. */
export const createSpeechOutput = (
  job: number,
  commands: CommandPipe,
  { ahead = false }: Pick<SpeakCommand, 'ahead'>,
): JobOutput => {
  const waitMs = ahead ? longestWaitMs.ahead : longestWaitMs.awaited
  let gathered: Uint8Array[] = []
  let gatheredBytes = 0
  let sentAtMs = ahead ? performance.now() : Number.NEGATIVE_INFINITY

  const frameOfGathered = (): Uint8Array => {
    const frame = encodeFrame('audio', job, gathered.length === 1 ? gathered[0] : Buffer.concat(gathered))
    gathered = []
    gatheredBytes = 0
    sentAtMs = performance.now()
    return frame
  }
  const isWanted = () => {
    commands.poll()
    return !commands.isCancelled(job)
  }
  /** The audio that is left before what may only come after it. */
  const reportWith = (...frames: readonly Uint8Array[]) =>
    report(Buffer.concat(gatheredBytes === 0 ? frames : [frameOfGathered(), ...frames]))
  const marksFrame = (marks: SpeechMarks) => encodeJsonFrame('marks', job, marks)

  return {
    audio: ({ buffer, byteOffset, byteLength }) => {
      if (!isWanted()) return false
      for (let taken = 0; taken < byteLength; taken += mostAudioBytes) {
        const length = Math.min(mostAudioBytes, byteLength - taken)
        gathered.push(new Uint8Array(buffer, byteOffset + taken, length).slice())
        gatheredBytes += length
        const due = gatheredBytes >= mostGatheredBytes || performance.now() - sentAtMs >= waitMs
        if (due) report(frameOfGathered())
      }
      return true
    },
    marks: (marks) => reportWith(marksFrame(marks)),
    isWanted,
    end: (marks) => reportWith(...(marks === undefined ? [] : [marksFrame(marks)]), encodeFrame('end', job)),
  }
}
