import { pcmToBytes } from '@parlance/audio'
import { createResampler } from '@parlance/audio/encoding'
import { framesOf } from '../services/sessions/test/spoken.js'

const frameMs = 20
const recordedRateHz = 16_000
const sentRateHz = 24_000

/** Sends a recording at 16 kHz as frames of the WebSocket, in real time, followed by silence until `off` is called. */
export const openMicrophone = (recording: Int16Array, send: (frame: Uint8Array) => void): { off(): void } => {
  const resampler = createResampler({ fromHz: recordedRateHz, toHz: sentRateHz })
  const silence = new Int16Array((recordedRateHz * frameMs) / 1000)
  const frames = framesOf(recording)
  const beganMs = performance.now()
  let sent = 0
  let waiting = new Int16Array(0)
  const sentSamples = (sentRateHz * frameMs) / 1000

  /** The number of samples that the resampler returns varies, so a part of a frame waits for the next call. */
  const push = (samples: Int16Array): void => {
    const joined = new Int16Array(waiting.length + samples.length)
    joined.set(waiting)
    joined.set(samples, waiting.length)
    let at = 0
    for (; at + sentSamples <= joined.length; at += sentSamples) send(pcmToBytes(joined.slice(at, at + sentSamples)))
    waiting = joined.slice(at)
  }
  const timer = setInterval(() => {
    const due = (performance.now() - beganMs) / frameMs
    for (; sent < due; sent++) push(resampler.resample(frames[sent] ?? silence))
  }, frameMs)
  return { off: () => clearInterval(timer) }
}
