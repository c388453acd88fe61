import { z } from 'zod'

const speechTrial = z.object({
  loadMs: z.number(),
  /** How long the synthesis of `audioMs` of speech took. */
  speakMs: z.number(),
  audioMs: z.number(),
  /** Of the process, with the model in it. */
  memoryMegabytes: z.number(),
})
export type SpeechTrial = z.output<typeof speechTrial>

/** The result of loading a model and speaking or recognizing with it. Times are ms. */
export const trialReport = z.union([
  z.object({ problems: z.array(z.string()).min(1).readonly() }),
  z.object({
    loadMs: z.number(),
    /** How long the recognition of `audioMs` of sound took. */
    hearMs: z.number(),
    audioMs: z.number(),
    memoryMegabytes: z.number(),
  }),
  speechTrial,
])
export type TrialReport = z.output<typeof trialReport>
