import { z } from 'zod'

/** The variables that configure the detection of the end of turns; spread into the service's `env`. */
export const detectionVariables = {
  ENDPOINTING_MODELS_DIR: z
    .string()
    .min(1)
    .optional()
    .describe('a folder with models, of which those of the kind turn judge by the sound of a voice if a turn is over'),
}

const detectionConfigSchema = z.object(detectionVariables)
export type DetectionConfig = z.output<typeof detectionConfigSchema>
