import type { EngineTrial } from '@parlance/engine/client'
import { z } from 'zod'

const speechTrial = z.object({
  loadMs: z.number(),
  /** How long the synthesis of `audioMs` of speech took. */
  speakMs: z.number(),
  audioMs: z.number(),
  /** The memory of the process with the model. */
  memoryMegabytes: z.number(),
})
export type SpeechTrial = z.output<typeof speechTrial>

const recognitionTrial = z.object({
  loadMs: z.number(),
  /** How long the recognition of `audioMs` of sound took. */
  recognitionMs: z.number(),
  audioMs: z.number(),
  memoryMegabytes: z.number(),
})

export const trialResult = z.union([recognitionTrial, speechTrial])

/** The result of loading a model and speaking or recognizing with it. Times are ms. */
export type TrialReport = EngineTrial<z.output<typeof trialResult>>
