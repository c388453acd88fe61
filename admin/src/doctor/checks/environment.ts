import {
  type Environment,
  type EnvironmentProblem,
  environmentProblems,
  natsProblems,
  platformEnvironmentSchema,
  type Service,
} from '@parlance/runtime'
import { distance } from 'fastest-levenshtein'
import type { z } from 'zod'
import { type CheckContext, error, type Finding, ok, skipped, warning } from '../check.js'

/** Variables that only this command, `npm start` or the examples read. */
const otherNames = ['PARLANCE_MODELS_MIRROR', 'PARLANCE_URL', 'PARLANCE_API_KEY']

const variablesOf = (schema: z.ZodType): string[] => Object.keys((schema as z.ZodObject).shape)

/** The maximum share of wrong letters at which a name counts as a typing error of another. */
const maxTypos = (name: string): number => Math.min(4, Math.floor(name.length / 5))

/** Names that no service reads and that look like one that a service does. */
const findTypos = (environment: Environment, known: ReadonlySet<string>): Finding[] =>
  Object.keys(environment)
    .filter((name) => /^[A-Z][A-Z0-9_]+$/.test(name) && !known.has(name) && !name.startsWith('OTEL_'))
    .flatMap((name) => {
      const [meant] = [...known]
        .map((other) => ({ other, typos: distance(name, other) }))
        .filter(({ typos }) => typos <= maxTypos(name))
        .sort((a, b) => a.typos - b.typos)
      if (meant === undefined) return []
      return [warning(`No service reads ${name}. Did you mean ${meant.other}?`, `Rename or remove ${name}.`)]
    })

const findingOf = ({ problem, advice, variable }: EnvironmentProblem): Finding =>
  error(problem, advice ?? `Correct ${variable}; docs/configuration.md describes it.`)

/** The variables that are missing, and the services that need them. */
const missingVariables = (services: readonly Service[], environment: Environment): ReadonlyMap<string, string[]> => {
  const missing = new Map<string, string[]>()
  for (const { name, env } of services) {
    for (const { variable, isMissing } of environmentProblems(env, environment)) {
      if (isMissing) missing.set(variable, [...(missing.get(variable) ?? []), name])
    }
  }
  return missing
}

const missingFindings = (context: CheckContext): Finding[] => {
  const { services, environment, isStandalone, service: named } = context
  // `npm start` creates the secrets that are not set.
  if (isStandalone) return []
  const ofNamed = services.filter(({ name }) => named?.includes(name))
  const findings = [...missingVariables(ofNamed, environment)].map(([variable, users]) =>
    error(
      `${variable} is not set, and ${users.join(' and ')} needs it.`,
      'docs/configuration.md describes it. Set it.',
    ),
  )
  if (named !== undefined) return findings
  const elsewhere = [...missingVariables(services, environment)].map(
    ([variable, users]) => `${variable} (${users.join(', ')})`,
  )
  if (elsewhere.length === 0) return []
  return [
    skipped(`Not set here, but required where these services run: ${elsewhere.join(', ')}. --service checks that.`),
  ]
}

/** The variables of the environment, by the schemas of the services; names that look like typing errors. */
export const checkEnvironment = async (context: CheckContext): Promise<Finding[]> => {
  const { environment, services } = context
  const schemas = [platformEnvironmentSchema, ...services.map(({ env }) => env)]
  const known = new Set([...schemas.flatMap(variablesOf), ...otherNames])
  const invalid = new Map(
    schemas
      .flatMap((schema) => environmentProblems(schema, environment))
      .filter(({ isMissing }) => !isMissing)
      .map((problem) => [problem.problem, findingOf(problem)]),
  )
  const contradictions = natsProblems(environment).map((problem) =>
    error(problem, 'Unset the variables that you do not mean.'),
  )
  const wrong = [...invalid.values(), ...contradictions, ...missingFindings(context)]
  const set = Object.keys(environment).filter((name) => known.has(name) && environment[name])
  const isFine = wrong.every(({ status }) => status !== 'error')
  return [
    ...(isFine ? [ok(`${set.length} of ${known.size} variables are set, and each is valid.`)] : []),
    ...wrong,
    ...findTypos(environment, known),
  ]
}
