import { z } from 'zod'

/** The variables a process was started with. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The description of a variable in `schema`, if there is one. */
const describedAs = (schema: z.ZodType, name: string): string | undefined => {
  if (schema instanceof z.ZodPipe) return describedAs(schema.in as z.ZodType, name)
  return schema instanceof z.ZodObject ? (schema.shape[name] as z.ZodType | undefined)?.description : undefined
}

const sentence = (text: string) => (text.endsWith('.') ? text : `${text}.`)

/** Never contains the value, which may be a secret even where it is not valid. */
const problemLine = (schema: z.ZodType, issue: z.core.$ZodIssue, environment: Environment): string => {
  const name = String(issue.path[0] ?? 'The environment')
  const problem = environment[name] === undefined ? 'is not set.' : `is not valid. ${sentence(issue.message)}`
  const description = describedAs(schema, name)
  return description === undefined ? `${name} ${problem}` : `${name} ${problem} Set it to ${sentence(description)}`
}

/** A variable set to nothing counts as not set: that is how compose files and shells leave one out. */
const withoutEmpty = (environment: Environment): Environment =>
  Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''))

/**
 * Parses the variables that each schema names. `problems` holds one line for each that is missing or wrong, over all
 * schemas, so that a person mends them in one go; the values may be used only when it is empty.
 */
export const parseEnvironment = <const Schemas extends readonly z.ZodType[]>(
  schemas: Schemas,
  environment: Environment,
): { values: { [Index in keyof Schemas]: z.output<Schemas[Index]> }; problems: string[] } => {
  const given = withoutEmpty(environment)
  const results = schemas.map((schema) => schema.safeParse(given))
  const problems = results.flatMap(({ error }, index) =>
    (error?.issues ?? []).map((issue) => problemLine(schemas[index]!, issue, given)),
  )
  return {
    values: results.map(({ data }) => data) as { [Index in keyof Schemas]: z.output<Schemas[Index]> },
    problems: [...new Set(problems)],
  }
}
