import { z } from 'zod'

/** The environment variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The description of a variable in `schema`, if there is one. */
const describedAs = (schema: z.ZodType, name: string): string | undefined => {
  if (schema instanceof z.ZodPipe) return describedAs(schema.in as z.ZodType, name)
  return schema instanceof z.ZodObject ? (schema.shape[name] as z.ZodType | undefined)?.description : undefined
}

const sentence = (text: string) => (text.endsWith('.') ? text : `${text}.`)

/** A problem with a variable. No text contains the value, which may be a secret even when it is invalid. */
export interface EnvironmentProblem {
  readonly variable: string
  readonly isMissing: boolean
  /** The problem, as a sentence. */
  readonly problem: string
  /** What to set it to; undefined when the variable has no description. */
  readonly advice: string | undefined
}

const problemOf = (schema: z.ZodType, issue: z.core.$ZodIssue, environment: Environment): EnvironmentProblem => {
  const variable = String(issue.path[0] ?? 'The environment')
  const isMissing = environment[variable] === undefined
  const description = describedAs(schema, variable)
  return {
    variable,
    isMissing,
    problem: isMissing ? `${variable} is not set.` : `${variable} is not valid. ${sentence(issue.message)}`,
    advice: description && `Set it to ${sentence(description)}`,
  }
}

/** An empty variable counts as not set, because compose files and shells leave variables out that way. */
const withoutEmpty = (environment: Environment): Environment =>
  Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''))

/** The problems of the variables that `schema` names. */
export const environmentProblems = (schema: z.ZodType, environment: Environment): EnvironmentProblem[] => {
  const given = withoutEmpty(environment)
  return (schema.safeParse(given).error?.issues ?? []).map((issue) => problemOf(schema, issue, given))
}

/**
 * Parses the variables that each schema names. `problems` holds one line for each that is missing or wrong, over all
 * schemas, so that all can be fixed at once; the values may be used only when it is empty.
 */
export const parseEnvironment = <const Schemas extends readonly z.ZodType[]>(
  schemas: Schemas,
  environment: Environment,
): { values: { [Index in keyof Schemas]: z.output<Schemas[Index]> }; problems: string[] } => {
  const given = withoutEmpty(environment)
  const problems = schemas
    .flatMap((schema) => environmentProblems(schema, given))
    .map(({ problem, advice }) => (advice === undefined ? problem : `${problem} ${advice}`))
  return {
    values: schemas.map((schema) => schema.safeParse(given).data) as {
      [Index in keyof Schemas]: z.output<Schemas[Index]>
    },
    problems: [...new Set(problems)],
  }
}

/** The setting `PUBLIC_URL`, without a slash at its end. */
export const publicUrlSchema = z
  .url({ protocol: /^https?$/ })
  .transform((url) => url.replace(/\/+$/, ''))
  .optional()
  .describe(
    'the address at which clients reach the gateway, such as https://speech.example.com; that of each request when left out',
  )

/** The address of a server, or several separated by commas. */
export const urlWith = (protocols: readonly string[], example: string) =>
  z
    .string()
    .refine((value) => value.split(',').every((url) => protocols.some((name) => url.trim().startsWith(`${name}://`))), {
      message: `It must start with ${protocols.map((name) => `${name}://`).join(' or ')}.`,
    })
    .optional()
    .describe(`an address such as ${example}`)
