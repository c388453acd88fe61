/**
 * Sends the speech of a job. Each write wakes up both processes, so blocks of audio are batched. The first block of a job that
 * a client waits for is sent at once. Blocks of a slow engine are sent as they come, and the end of a job sends all of it.
 */
import { encodeFrame, encodeJsonFrame, maxFrameBytes, type SpeakCommand, type SpeechMarks } from '../protocol/index.js'
import { type CommandPipe, report } from './pipes.js'

/** Sends the audio and the marks of a job. */
export interface SpeechOutput {
  /** Takes mono s16 samples at the engine's rate, which may be overwritten afterwards; returns whether more is wanted. */
  audio(samples: Int16Array): boolean
  /** Sends marks with times in ms from the job's first sample, within the audio so far and after the marks before. */
  marks(marks: SpeechMarks): void
  /** Returns whether the job is still wanted, for an engine without audio to send yet. */
  isWanted(): boolean
  /** Resolves when the job is no longer wanted, for an engine that waits for work that it cannot stop. */
  whenUnwanted(): Promise<void>
}

/** Half of the maximum frame, and a whole number of samples. */
const maxAudioBytes = maxFrameBytes / 2
/** About three seconds, so that most sentences are two writes. */
const maxBatchBytes = 128 * 1024
/** Audio that has waited this long is sent with the next block. */
const maxWaitMs = { awaited: 40, ahead: 60 }

export interface JobOutput extends SpeechOutput {
  /** Sends the rest of the audio, the job's last marks and its end in one write. */
  end(marks?: SpeechMarks): void
}

/** Polls `commands` with each block, since the engine may speak a whole text in one tick of the event loop. */
export const createSpeechOutput = (
  job: number,
  commands: CommandPipe,
  { ahead = false }: Pick<SpeakCommand, 'ahead'>,
): JobOutput => {
  const waitMs = ahead ? maxWaitMs.ahead : maxWaitMs.awaited
  let batch: Uint8Array[] = []
  let batchBytes = 0
  let sentAtMs = ahead ? performance.now() : Number.NEGATIVE_INFINITY

  const takeBatch = (): Uint8Array => {
    const frame = encodeFrame('audio', job, batch.length === 1 ? batch[0] : Buffer.concat(batch))
    batch = []
    batchBytes = 0
    sentAtMs = performance.now()
    return frame
  }
  const isWanted = () => {
    commands.poll()
    return !commands.isCancelled(job)
  }
  /** Sends frames after the audio that they must follow. */
  const reportWith = (...frames: readonly Uint8Array[]) =>
    report(Buffer.concat(batchBytes === 0 ? frames : [takeBatch(), ...frames]))
  const marksFrame = (marks: SpeechMarks) => encodeJsonFrame('marks', job, marks)

  return {
    audio: ({ buffer, byteOffset, byteLength }) => {
      if (!isWanted()) return false
      for (let taken = 0; taken < byteLength; taken += maxAudioBytes) {
        const length = Math.min(maxAudioBytes, byteLength - taken)
        batch.push(new Uint8Array(buffer, byteOffset + taken, length).slice())
        batchBytes += length
        const due = batchBytes >= maxBatchBytes || performance.now() - sentAtMs >= waitMs
        if (due) report(takeBatch())
      }
      return true
    },
    marks: (marks) => reportWith(marksFrame(marks)),
    isWanted,
    whenUnwanted: () => commands.whenCancelled(job),
    end: (marks) => reportWith(...(marks === undefined ? [] : [marksFrame(marks)]), encodeFrame('end', job)),
  }
}
