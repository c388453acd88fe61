import type { DataPoint, Evaluation } from '@parlance/contracts'
import { z } from 'zod'
import { cutOff } from '../tools/tool-runner.js'
import type { AnalysisResult } from './analysis-repository.js'

const maxReasonCharacters = 1_000
const maxValueCharacters = 2_000

const bounded = (maxCharacters: number) =>
  z.string().transform((text) => cutOff(text.toWellFormed(), maxCharacters).trim())

const judgedSchema = z.object({
  result: z.enum(['success', 'failure', 'unknown']),
  reason: bounded(maxReasonCharacters),
})

const valueSchemas: Readonly<Record<DataPoint['type'], z.ZodType<string | number | boolean>>> = {
  string: bounded(maxValueCharacters),
  number: z.number(),
  integer: z.int(),
  boolean: z.boolean(),
}

/** An object with a member for each item, named by its number from 1. */
const byNumber = <Item, Schema extends z.ZodType>(items: readonly Item[], schemaOf: (item: Item) => Schema) =>
  z.object(Object.fromEntries(items.map((item, index) => [String(index + 1), schemaOf(item)])))

const answerSchemaOf = ({ criteria, data }: Evaluation) =>
  z.object({
    criteria: byNumber(criteria, () => judgedSchema).default({}),
    data: byNumber(data, ({ type }) => valueSchemas[type].nullable()).default({}),
  })

/** Models write words and marks around their JSON. */
const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1))
  } catch {
    return undefined
  }
}

/** The answer of a model, or a description of its errors for the model. */
export const parseAnswer = (
  evaluation: Evaluation,
  text: string,
): { readonly result: AnalysisResult } | { readonly problem: string } => {
  const value = jsonIn(text)
  if (value === undefined) return { problem: 'It is not a JSON object.' }
  // A missing member is an error, as is one with an invalid value.
  const complete = { criteria: {}, data: {}, ...(value as object) }
  const { data: answer, error } = answerSchemaOf(evaluation).safeParse(complete)
  if (error !== undefined) return { problem: z.prettifyError(error) }
  return {
    result: {
      criteria: evaluation.criteria.map((criterion, index) => ({ ...criterion, ...answer.criteria[index + 1]! })),
      data: evaluation.data.map((point, index) => ({ ...point, value: answer.data[index + 1]! })),
    },
  }
}
