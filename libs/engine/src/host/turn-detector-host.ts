/**
 * The main loop of a process that judges whether turns of conversations are over: one job at a time, as the engine protocol
 * describes. A job is too short to be cancelled. Any failure ends the process; the parent starts a new one.
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

const createJobs = (detector: HostedTurnDetector) => async (frame: Frame) => {
  if (frame.kind !== 'detect') return
  const completeProbability = await detector.detect(samplesOf(frame))
  reportBriefly(encodeJsonFrame('end', frame.job, { completeProbability } satisfies TurnDetectionEnd))
}

/** Runs the process until its end. `open` may reject with an `EngineUnavailableError`, which is sent to the parent. */
export const runTurnDetectorHost = (open: () => Promise<HostedTurnDetector>): Promise<void> =>
  serveFrames(open, createJobs)
