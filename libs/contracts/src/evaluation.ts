import { z } from 'zod'
import { storableTextSchema, timestampSchema } from './primitives.js'

const nameSchema = storableTextSchema.trim().min(1).max(64)
const descriptionSchema = storableTextSchema.trim().min(1).max(1_000)

const isUnique = (items: readonly { readonly name: string }[]): boolean =>
  new Set(items.map(({ name }) => name)).size === items.length
const unique = { error: 'must not repeat a name' }

/** A goal of a conversation. */
export const successCriterionSchema = z.strictObject({ name: nameSchema, description: descriptionSchema })

/** A value to extract from a conversation. */
const dataPointSchema = z.strictObject({
  name: nameSchema,
  type: z.enum(['string', 'number', 'integer', 'boolean']),
  description: descriptionSchema,
})
export type DataPoint = z.infer<typeof dataPointSchema>

/** The criteria and data that the Agent's model evaluates after each conversation. Without any, nothing is evaluated. */
export const evaluationSchema = z.strictObject({
  criteria: z.array(successCriterionSchema).max(20).refine(isUnique, unique),
  data: z.array(dataPointSchema).max(40).refine(isUnique, unique),
})
export type Evaluation = z.infer<typeof evaluationSchema>

export const judgedCriterionSchema = successCriterionSchema.extend({
  /** `unknown` where the conversation does not show it. */
  result: z.enum(['success', 'failure', 'unknown']),
  reason: z.string(),
})
export type JudgedCriterion = z.infer<typeof judgedCriterionSchema>

const extractedValueSchema = dataPointSchema.extend({
  /** Of the type of the data point; null where the conversation does not have it. */
  value: z.union([z.string(), z.number(), z.boolean(), z.null()]),
})
export type ExtractedValue = z.infer<typeof extractedValueSchema>

/** The analysis of a conversation, with the evaluation as it was at the end of the conversation. */
export const analysisSchema = z.object({
  status: z.enum(['pending', 'succeeded', 'failed']),
  /** Empty unless it has succeeded, as the data are. */
  criteria: z.array(judgedCriterionSchema),
  data: z.array(extractedValueSchema),
  /** Why it failed, in a sentence. */
  error: z.string().nullable(),
  /** When it succeeded or failed; null while it is pending. */
  analyzed_at: timestampSchema.nullable(),
})
export type Analysis = z.infer<typeof analysisSchema>
