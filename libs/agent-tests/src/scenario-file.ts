/** Files of scenarios: YAML that is checked before any conversation starts. */
import { dynamicContextSchema, successCriterionSchema, voiceIdSchema } from '@parlance/contracts'
import { type Document, isNode, isPair, LineCounter, parseDocument } from 'yaml'
import { z } from 'zod'

const textSchema = z.string().trim().min(1)
/** One text, or a list of them. */
const textsSchema = z.union([textSchema.transform((text) => [text]), z.array(textSchema).min(1)]).default([])

const expectationSchema = z.strictObject({
  /** Words of the reply, in any case. */
  words: textsSchema,
  /** Tools that were called for the reply. */
  tools: textsSchema,
  /** From the user's last sound, or from the typed message, to the first sound of the reply. */
  within_ms: z.number().positive().optional(),
  /** What the Agent's model must find to be true of the conversation. */
  judge: z
    .union([
      successCriterionSchema.shape.description.transform((text) => [text]),
      z.array(successCriterionSchema.shape.description).min(1),
    ])
    .default([]),
})
const noExpectation = expectationSchema.parse({})

const turnSchema = z.strictObject({
  /** Typed, or spoken. Without it, the turn is the first message of the Agent. */
  user: z.union([textSchema, z.strictObject({ say: textSchema })]).optional(),
  expect: expectationSchema.default(noExpectation),
})

const scenarioSchema = z.strictObject({
  name: textSchema,
  variables: dynamicContextSchema.shape.variables,
  turns: z
    .array(turnSchema)
    .min(1)
    .refine((turns) => turns.slice(1).every(({ user }) => user !== undefined), {
      error: 'only the first turn may have no user',
    }),
})
export type Scenario = z.output<typeof scenarioSchema>
export type Turn = Scenario['turns'][number]

const scenarioFileSchema = z.strictObject({
  /** The slug of an Agent, or its id. */
  agent: textSchema,
  /** The voice of a user who speaks; the Agent's own by default. */
  voice: voiceIdSchema.optional(),
  scenarios: z
    .array(scenarioSchema)
    .min(1)
    .refine((scenarios) => new Set(scenarios.map(({ name }) => name)).size === scenarios.length, {
      error: 'must not repeat a name',
    }),
})
export type ScenarioFile = z.output<typeof scenarioFileSchema>

export interface FileProblem {
  /** From 1. */
  readonly line: number
  readonly message: string
}

/** A file of scenarios cannot be used. */
export class ScenarioFileError extends Error {
  override readonly name = 'ScenarioFileError'
  readonly problems: readonly FileProblem[]

  constructor(problems: readonly FileProblem[]) {
    super(problems.map(({ line, message }) => `${line}: ${message}`).join('\n'))
    this.problems = problems
  }
}

/** The offset of what is at a path, or of what is nearest above it. */
const offsetOf = (document: Document, path: readonly PropertyKey[]): number => {
  for (let length = path.length; length > 0; length--) {
    const parent = document.getIn(path.slice(0, length - 1), true)
    const key = path[length - 1]
    const items = typeof parent === 'object' && parent !== null && 'items' in parent ? (parent.items as unknown[]) : []
    const found = items.find((item, index) => (isPair(item) ? String(item.key) === key : index === key))
    const node = isPair(found) ? found.key : found
    if (isNode(node) && node.range) return node.range[0]
  }
  return 0
}

/** Throws `ScenarioFileError`. */
export const parseScenarioFile = (text: string): ScenarioFile => {
  const lineCounter = new LineCounter()
  const document = parseDocument(text, { lineCounter, prettyErrors: false })
  const fail = (problems: ReadonlyArray<{ readonly offset: number; readonly message: string }>): never => {
    throw new ScenarioFileError(
      problems.map(({ offset, message }) => ({ line: lineCounter.linePos(offset).line, message })),
    )
  }
  if (document.errors.length > 0) {
    fail(document.errors.map(({ pos, message }) => ({ offset: pos[0], message: message.split('\n')[0]! })))
  }
  const { data, error } = scenarioFileSchema.safeParse(document.toJS())
  if (data !== undefined) return data
  return fail(
    error.issues.map((issue) => {
      const unknown = issue.code === 'unrecognized_keys' ? issue.keys[0]! : undefined
      const issuePath = unknown === undefined ? issue.path : [...issue.path, unknown]
      const message = unknown === undefined ? issue.message : 'unknown key'
      return { offset: offsetOf(document, issuePath), message: `${issuePath.join('.') || 'the file'}: ${message}` }
    }),
  )
}
