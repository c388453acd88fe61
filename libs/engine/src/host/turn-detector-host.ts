/**
 * The main loop of a process that judges whether turns of conversations are over: one job after the other, as the engine
 * protocol describes. A `cancel` removes a job that waits. Any failure ends the process; the parent starts a new one.
 */
import {
  encodeJsonFrame,
  type Frame,
  samplesOf,
  type TurnDetectionEnd,
  type TurnDetectorHello,
} from '../protocol/index.js'
import { reportBriefly, serveFrames } from './frame-server.js'

/** A turn detector as the process that hosts it calls it: one job at a time. */
export interface HostedTurnDetector {
  readonly hello: TurnDetectorHello
  /**
   * Takes a turn up to a pause: mono s16 samples at the rate of the hello. Resolves to how likely the speaker has finished,
   * from 0 to 1.
   */
  detect(samples: Int16Array): Promise<number>
}

const end = (job: number, completeProbability: number | null): void =>
  reportBriefly(encodeJsonFrame('end', job, { completeProbability } satisfies TurnDetectionEnd))

const createJobs = (detector: HostedTurnDetector) => {
  const waiting: Frame[] = []
  let isWorking = false

  const work = async (): Promise<void> => {
    isWorking = true
    for (let frame = waiting.shift(); frame !== undefined; frame = waiting.shift()) {
      end(frame.job, await detector.detect(samplesOf(frame)))
      // Lets a cancel be read before the next job begins.
      await new Promise(setImmediate)
    }
    isWorking = false
  }

  return (frame: Frame) => {
    if (frame.kind === 'detect') {
      waiting.push(frame)
      if (!isWorking) void work()
    } else if (frame.kind === 'cancel') {
      const index = waiting.findIndex(({ job }) => job === frame.job)
      if (index === -1) return
      waiting.splice(index, 1)
      end(frame.job, null)
    }
  }
}

/** Runs the process until its end. `open` may reject with an `EngineUnavailableError`, which is sent to the parent. */
export const runTurnDetectorHost = (open: () => Promise<HostedTurnDetector>): Promise<void> =>
  serveFrames(open, createJobs)
