/// <reference path="./rnnoise-wasm.d.ts" />
/**
 * Noise suppression by RNNoise, a recurrent network for 48 kHz.
 *
 * - It works only while there is noise in the background. A microphone whose browser suppresses noise already costs nothing, and its
 *   audio stays as it is.
 * - The background is the softest of the last one to two seconds: speech has pauses within that time.
 * - All conversations share the memory of the WebAssembly, in which each has a state of 20 kB.
 */
import load from '@echogarden/rnnoise-wasm'
import { createResampler } from '@parlance/audio/encoding'
import { createSampleQueue } from './playback/sample-queue.js'
import { frameMs, receivedRateHz } from './transport.js'

/** Changes the user's audio before voice detection and recognition. */
export interface AudioFilter {
  /** Takes the next 20 ms and returns 20 ms, which may be late by some ms. */
  filter(frame: Int16Array): Int16Array
  close(): void
}

export type OpenAudioFilter = () => AudioFilter

const rnnoiseRateHz = 48_000
const rnnoiseSamples = 480
const frameSamples = (receivedRateHz * frameMs) / 1000
/** The background is noise above the one root mean square, and silence below the other: 50 and 54 dB below full scale. */
const noiseLevel = 100
const silenceLevel = 63
const observedFrames = 1000 / frameMs

/** Follows the level of the background. */
const createNoiseGauge = () => {
  let frames = 0
  let softest = Number.POSITIVE_INFINITY
  let softestBefore = 0
  let isNoisy = false
  return (frame: Int16Array): boolean => {
    let squares = 0
    for (const sample of frame) squares += sample * sample
    softest = Math.min(softest, Math.sqrt(squares / frame.length))
    if (++frames === observedFrames) {
      const level = Math.min(softest, softestBefore)
      isNoisy = level > (isNoisy ? silenceLevel : noiseLevel)
      softestBefore = softest
      softest = Number.POSITIVE_INFINITY
      frames = 0
    }
    return isNoisy
  }
}

/** Loads the network once for all conversations of the process. */
export const loadNoiseSuppression = async (): Promise<OpenAudioFilter> => {
  const rnnoise = await load()
  const at = rnnoise._malloc(rnnoiseSamples * Float32Array.BYTES_PER_ELEMENT)

  const openFilter = () => {
    const state = rnnoise._rnnoise_create(0)
    const up = createResampler({ fromHz: receivedRateHz, toHz: rnnoiseRateHz })
    const down = createResampler({ fromHz: rnnoiseRateHz, toHz: receivedRateHz })
    const waiting = createSampleQueue()
    const filtered = createSampleQueue()
    const part = new Int16Array(rnnoiseSamples)
    return {
      filter(frame: Int16Array): Int16Array {
        waiting.append(up.resample(frame))
        while (waiting.length() >= rnnoiseSamples) {
          waiting.take(part)
          const samples = rnnoise.HEAPF32.subarray(at / 4, at / 4 + rnnoiseSamples)
          samples.set(part)
          rnnoise._rnnoise_process_frame(state, at, at)
          filtered.append(down.resample(Int16Array.from(samples, clamped)))
        }
        const result = new Int16Array(frameSamples)
        // The resamplers keep the end of their input, so the first frame is shorter, and silence is put before it.
        filtered.take(result.subarray(Math.max(0, frameSamples - filtered.length())))
        return result
      },
      close: () => rnnoise._rnnoise_destroy(state),
    }
  }

  return () => {
    const isNoisy = createNoiseGauge()
    let suppression: AudioFilter | undefined
    const close = (): void => {
      suppression?.close()
      suppression = undefined
    }
    return {
      filter(frame) {
        if (!isNoisy(frame)) {
          close()
          return frame
        }
        suppression ??= openFilter()
        return suppression.filter(frame)
      },
      close,
    }
  }
}

const clamped = (sample: number): number => Math.max(-32_768, Math.min(32_767, Math.round(sample)))
