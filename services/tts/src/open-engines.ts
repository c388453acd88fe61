import { StartupError } from '@parlance/runtime'
import type { Engine, EngineContext } from './engine/engine.js'
import type { EnginesConfig } from './engines-config.js'

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : 'it does not open')

/**
 * Opens all engines of the configuration concurrently. Rejects with a `StartupError` with a line for each engine whose
 * configuration is invalid, after all others were closed. An optional engine that cannot be opened is skipped.
 */
export const openEngines = async (
  { engines: configured, optional, place }: Pick<EnginesConfig, 'engines' | 'optional' | 'place'>,
  context: EngineContext,
): Promise<readonly Engine[]> => {
  const names = Object.keys(configured)
  const opened = await Promise.allSettled(
    names.map((name) => configured[name]!(name, { ...context, logger: context.logger.child({ engine: name }) })),
  )
  const engines = opened.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
  const problems: string[] = []
  for (const [index, result] of opened.entries()) {
    const name = names[index]!
    if (result.status === 'fulfilled') continue
    const problem = `The engine ${name} cannot be used: ${reasonOf(result.reason)}`
    if (optional.includes(name)) context.logger.info({ engine: name }, problem)
    else problems.push(problem)
  }
  const repeated = engines.map(({ name }) => name).filter((name, index, all) => all.indexOf(name) < index)
  for (const name of new Set(repeated)) problems.push(`More than one engine is named ${name}. Rename one of them.`)
  if (problems.length === 0) return engines
  await Promise.all(engines.map((engine) => engine.close()))
  const causes = opened.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  throw new StartupError(
    problems.map((problem) => `${place}: ${problem}`),
    { cause: causes[0] },
  )
}
