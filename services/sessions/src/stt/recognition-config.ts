import { z } from 'zod'
import { commaSeparated } from '../variable-schemas.js'
import { deepgramProvider } from './deepgram-recognizer.js'
import { openaiProvider } from './openai-recognizer.js'
import { pocketsphinxProvider } from './pocketsphinx-recognizer.js'
import { sherpaOnnxProvider } from './sherpa-onnx-recognizers.js'

/** The providers, in the order in which `auto` prefers them. */
export const providers = {
  'sherpa-onnx': sherpaOnnxProvider,
  deepgram: deepgramProvider,
  openai: openaiProvider,
  pocketsphinx: pocketsphinxProvider,
} as const
export type RecognitionProvider = keyof typeof providers
export const providerNames = Object.keys(providers) as RecognitionProvider[]

const providerSchema = z
  .string()
  .transform(commaSeparated)
  .pipe(
    z.union(
      [z.tuple([z.literal('auto')]), z.tuple([z.literal('none')]), z.array(z.enum(providerNames)).min(1)],
      `auto, none, or some of ${providerNames.join(', ')}, by commas`,
    ),
  )

/** The variables that configure speech recognition; spread into the service's `env`. */
export const recognitionVariables = {
  STT_PROVIDER: providerSchema
    .default(['auto'])
    .describe(
      `the recognizers, of which the first that knows a language is used: some of ${providerNames.join(', ')}, separated by commas; or none; or auto, which is all that are configured but pocketsphinx`,
    ),
  ...sherpaOnnxProvider.variables,
  ...deepgramProvider.variables,
  ...openaiProvider.variables,
  ...pocketsphinxProvider.variables,
}

const recognitionConfigSchema = z.object(recognitionVariables)
export type RecognitionConfig = z.output<typeof recognitionConfigSchema>
