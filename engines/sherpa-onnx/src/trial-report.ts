import { z } from 'zod'

/** What came of loading a model and speaking with it, or letting it hear. */
export const trialReport = z.union([
  z.object({ problems: z.array(z.string()).min(1).readonly() }),
  z.object({
    loadMs: z.number(),
    /** How long it took to hear `audioMs` of sound. */
    hearMs: z.number(),
    audioMs: z.number(),
    memoryMegabytes: z.number(),
  }),
  z.object({
    loadMs: z.number(),
    /** How long it took to make `audioMs` of speech. */
    speakMs: z.number(),
    audioMs: z.number(),
    /** Of the process, with the model in it. */
    memoryMegabytes: z.number(),
  }),
])
export type TrialReport = z.output<typeof trialReport>
