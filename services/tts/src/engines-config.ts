import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { engineNameSchema } from '@parlance/contracts'
import { StartupError } from '@parlance/runtime'
import { z } from 'zod'
import type { Engine, EngineContext, OpenEngines } from './engine/engine.js'
import { espeakEngineConfig, openEspeakEngines } from './engine/espeak-engine.js'
import { fliteEngineConfig, openFliteEngines } from './engine/flite-engine.js'
import { openSherpaOnnxEngines, sherpaOnnxEngineConfig } from './engine/sherpa-onnx-engine.js'
import { cartesiaEngineConfig, openCartesiaEngines } from './remote/cartesia-engine.js'
import { elevenlabsEngineConfig, openElevenlabsEngines } from './remote/elevenlabs-engine.js'
import { openaiEngineConfig, openOpenaiEngines } from './remote/openai-engine.js'

/** Opens what an entry of the configuration describes; usually one engine. */
export type ConfiguredEngine = (name: string, context: EngineContext) => Promise<readonly Engine[]>

interface EngineDefaults {
  /** The default number of processes of an eSpeak NG entry. */
  readonly espeakProcesses: number
}

const engineType = <Config extends z.ZodObject>(config: Config, open: OpenEngines<z.output<Config>>) =>
  config.transform(
    (settings): ConfiguredEngine =>
      (name, context) =>
        open(name, settings, context),
  )

/** The types of engines. A parsed configuration is an engine that can be opened, so nothing else depends on its type. */
const createEngineSchema = ({ espeakProcesses }: EngineDefaults) =>
  z.discriminatedUnion('type', [
    engineType(espeakEngineConfig, (name, config, context) =>
      openEspeakEngines(name, { processes: espeakProcesses, ...config }, context),
    ),
    engineType(fliteEngineConfig, openFliteEngines),
    engineType(sherpaOnnxEngineConfig, openSherpaOnnxEngines),
    engineType(openaiEngineConfig, openOpenaiEngines),
    engineType(elevenlabsEngineConfig, openElevenlabsEngines),
    engineType(cartesiaEngineConfig, openCartesiaEngines),
  ])

const variantOfVoiceSchema = z.strictObject({
  /** A voice's id, or its display name in any case. */
  voice: z.string().min(1).max(200),
  variant: z.string().min(1).max(64),
})
export type VariantOfVoice = z.infer<typeof variantOfVoiceSchema>

const fallbackSchema = variantOfVoiceSchema.extend({
  /** The variants that replace it, in this order. */
  instead: z.array(variantOfVoiceSchema).min(1),
})
export type FallbackConfig = z.infer<typeof fallbackSchema>

/** The cache of speech that is requested repeatedly. */
const cacheSchema = z.strictObject({
  /** The maximum memory in this process, in MiB; 0 for no cache. Default: TTS_CACHE_MEGABYTES. */
  megabytes: z.int().min(0).max(65_536).optional(),
  /** Whether speech that is meant for one person is cached too, such as the replies in a conversation. */
  private: z.boolean().default(false),
  /** Speeches are shared by all workers with the same REDIS_URL. */
  redis: z
    .strictObject({
      /** The maximum memory in Redis, in MiB. */
      megabytes: z.int().min(1).max(1_048_576).default(256),
      /** A speech that is not requested for this time is deleted. */
      hours: z.number().positive().max(8_784).default(24),
    })
    .optional(),
})
export type CacheConfig = z.infer<typeof cacheSchema> & { readonly megabytes: number }

/** Defaults for settings that the file omits. */
interface ConfigDefaults extends EngineDefaults {
  readonly cacheMegabytes: number
  /** Whether engines that are installed on the machine are used without a file. */
  readonly installedEngines: boolean
}

export interface EnginesConfig {
  /** The prefix of errors of this configuration: the variable, and the file that it names. */
  readonly place: string
  /** Engines that are left out, with a line in the log, where this machine does not have them. */
  readonly optional: readonly string[]
  readonly engines: Readonly<Record<string, ConfiguredEngine>>
  readonly fallbacks: readonly FallbackConfig[]
  readonly cache: CacheConfig
}

const createConfigSchema = ({ cacheMegabytes, ...defaults }: Omit<ConfigDefaults, 'installedEngines'>) =>
  z.strictObject({
    engines: z
      .record(engineNameSchema, createEngineSchema(defaults))
      .refine((engines) => Object.keys(engines).length > 0, 'names no engine'),
    fallbacks: z.array(fallbackSchema).default([]),
    cache: cacheSchema
      .prefault({})
      .transform(({ megabytes, ...cache }): CacheConfig => ({ ...cache, megabytes: megabytes ?? cacheMegabytes })),
  })

/** The engines without a file: the one that comes with Parlance, and those that may be installed on the machine. */
const builtIn = { 'espeak-ng': { type: 'espeak-ng' } }
/** A process of flite takes 70 MB, and a machine with many cores and other engines seldom needs one for each core. */
const installed = { flite: { type: 'flite', processes: Math.min(2, availableParallelism()) } }
const variable = 'TTS_ENGINES_FILE'

/** Contains no value, since a secret may stand where a reference to one was expected. */
const problemOf = ({ path, message }: z.core.$ZodIssue): string =>
  path.length === 0 ? message : `${path.join('.')}: ${message}`

/** Rejects with a `StartupError` that names the file and the invalid field. */
export const readEnginesConfig = async (
  path: string | undefined,
  { installedEngines, ...defaults }: ConfigDefaults,
): Promise<EnginesConfig> => {
  const schema = createConfigSchema(defaults)
  if (path === undefined) {
    const optional = installedEngines ? installed : {}
    return {
      ...schema.parse({ engines: { ...builtIn, ...optional } }),
      place: variable,
      optional: Object.keys(optional),
    }
  }
  const place = `${variable}: ${path}`
  const wrongFile = (problems: readonly string[], cause?: unknown) =>
    new StartupError(
      problems.map((problem) => `${place}: ${problem}`),
      { cause },
    )
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw wrongFile([`cannot be read (${cause.code})`], cause)
  })
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw wrongFile(['is not JSON'])
  }
  const read = schema.safeParse(json)
  if (!read.success) throw wrongFile(read.error.issues.map(problemOf))
  return { ...read.data, place, optional: [] }
}

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
