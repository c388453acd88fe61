import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { iterate } from '@parlance/async/push-stream'
import { type Bus, createClient } from '@parlance/bus'
import { catalogContract, type OfferedVoice, queueLaneOf, ttsContract } from '@parlance/contracts'
import { modelEngineName } from '@parlance/models'
import { type Environment, type Service, startServices } from '@parlance/runtime'
import { StartupError } from '@parlance/runtime/process'
import { createLogger } from '@parlance/telemetry'
import { z } from 'zod'
import { type CheckContext, error, type Finding, ok } from '../check.js'

/** The result of speaking a word with an engine. */
export interface EngineTrial {
  readonly engine: string
  /** Undefined when it failed; `reason` has the cause. */
  readonly audioMs?: number
  readonly firstAudioMs?: number
  readonly reason?: string
}

/** The result of starting the engines of an environment. */
interface EngineTrials {
  readonly trials: readonly EngineTrial[]
  /** Engines that are configured and offered no voice in time. */
  readonly silent: readonly string[]
  /** The messages of the log, the latest first. */
  readonly reasons: readonly string[]
}

/** The workspace id of the requested speech, which belongs to no workspace. */
const noWorkspace = '00000000-0000-4000-8000-000000000000'

/** The name of the installed models among the engines where there is no engines file. */
const modelEntry = 'local'

const logLineSchema = z.object({ msg: z.string(), err: z.object({ message: z.string() }).optional() })

const reasonIn = (line: string): string => {
  const { msg, err } = logLineSchema.parse(JSON.parse(line))
  return err === undefined ? msg : `${msg}: ${err.message}`
}

const enginesFileSchema = z.object({ engines: z.record(z.string(), z.unknown()) })

/** The engines that must offer a voice. Errors in an engines file are reported by the start of the worker. */
const expectedEngines = async ({ TTS_ENGINES_FILE: file }: Environment, models: readonly string[]) => {
  if (!file) return ['espeak-ng', ...models.map((model) => modelEngineName(modelEntry, model))]
  return readFile(file, 'utf8')
    .then((text) => Object.keys(enginesFileSchema.parse(JSON.parse(text)).engines))
    .catch(() => [])
}

/** Waits until each of `expected` has offered a voice, and resolves with a voice of each engine that offers any. */
const collectVoices = async (bus: Bus, expected: readonly string[], withinMs: number, signal: AbortSignal) => {
  const catalog = createClient(bus, catalogContract)
  const voices = new Map<string, OfferedVoice>()
  const missing = () =>
    expected.filter((entry) => ![...voices.keys()].some((name) => name === entry || name.startsWith(`${entry}-`)))
  const lateness = AbortSignal.any([signal, AbortSignal.timeout(withinMs)])
  await new Promise<void>((resolve) => {
    lateness.addEventListener('abort', () => resolve(), { once: true })
    const subscription = catalog.voicesOffered.subscribe(({ engine, voices: [voice] }) => {
      if (voice !== undefined) voices.set(engine, voice)
      if (missing().length > 0) return
      subscription.unsubscribe()
      resolve()
    })
    catalog.voicesWanted.publish({})
  })
  signal.throwIfAborted()
  return { voices, silent: missing() }
}

const speak = async (bus: Bus, engine: string, voice: OfferedVoice, signal: AbortSignal): Promise<EngineTrial> => {
  const [variant] = voice.variants
  const request = {
    workspace_id: noWorkspace,
    text: 'Hello.',
    voice: voice.id,
    variant: variant!.id,
    language: null,
    output: { format: 'pcm_s16le' as const, sample_rate: variant!.sample_rates[0]!, bit_rate: null },
    speed: 1,
    volume: 1,
    alignment: [],
  }
  const speech = createClient(bus, ttsContract).synthesize(request, { lane: queueLaneOf(engine), deadlineMs: 20_000 })
  try {
    for await (const chunk of iterate(speech, signal)) {
      if (chunk.event === 'done') return { engine, audioMs: chunk.audio_duration_ms, firstAudioMs: chunk.ttfa_ms }
    }
    return { engine, reason: 'its speech does not end' }
  } catch (problem) {
    signal.throwIfAborted()
    return { engine, reason: (problem as Error).message }
  }
}

/**
 * Starts the workers of this environment in this process, on a separate bus, and lets each engine speak a word. `models`
 * are the names of installed models, each of which is an engine when there is no engines file. An engine that offers no
 * voice within `offersWithinMs` is silent. Rejects with `StartupError`.
 */
const tryEngines = async (
  services: readonly Service[],
  environment: Environment,
  models: readonly string[],
  { offersWithinMs, signal }: { offersWithinMs: number; signal: AbortSignal },
): Promise<EngineTrials> => {
  const reasons: string[] = []
  const { platform, stop } = await startServices(services, {
    environment: { ...environment, NATS_URL: undefined, HEALTH_PORT: undefined, TTS_ENGINE_PROCESSES: '1' },
    logger: createLogger({ level: 'warn', destination: { write: (line) => void reasons.unshift(reasonIn(line)) } }),
    signal,
  })
  try {
    const expected = await expectedEngines(environment, models)
    const { voices, silent } = await collectVoices(platform.bus, expected, offersWithinMs, signal)
    const trials: EngineTrial[] = []
    // One after the other: each is measured, and models share the cores.
    for (const [engine, voice] of voices) trials.push(await speak(platform.bus, engine, voice, signal))
    return { trials, silent, reasons }
  } finally {
    await stop()
  }
}

/** Models take long to load. */
const defaultOffersWithinMs = 40_000
export const enginesTimeoutMs = 90_000

/** `Hello.` is longer in every voice. */
const minAudioMs = 100

const trialFinding = ({ engine, audioMs = 0, firstAudioMs = 0, reason }: EngineTrial): Finding => {
  if (reason !== undefined)
    return error(`The engine ${engine} does not speak: ${reason}`, 'The log of tts has the reason.')
  return audioMs < minAudioMs
    ? error(`The engine ${engine} spoke ${audioMs} ms of audio.`, 'Check its model or its server.')
    : ok(`${engine} speaks: ${(audioMs / 1000).toFixed(1)} s of audio, the first after ${Math.round(firstAudioMs)} ms.`)
}

/** Checks the engines of this environment: each is started and speaks a word. */
export const checkEngines = async (
  context: CheckContext,
  signal: AbortSignal,
  offersWithinMs = defaultOffersWithinMs,
): Promise<Finding[]> => {
  const { services, environment, isStandalone, models, modelsDir } = context
  const found = await models.findModels(modelsDir).catch(() => [])
  const usable = found.flatMap(({ name, purpose, reading }) =>
    purpose === 'speech' && 'model' in reading ? [name] : [],
  )
  // Without a models folder of its own, a worker has no models.
  const modelsEnvironment = isStandalone ? { MODELS_DIR: resolve(modelsDir), TTS_INSTALLED_ENGINES: 'true' } : {}
  const workers = services.filter(({ name }) => name === 'catalog' || name === 'tts')
  const hasModels = isStandalone || Boolean(environment.MODELS_DIR)
  try {
    const { trials, silent, reasons } = await tryEngines(
      workers,
      { ...modelsEnvironment, ...environment },
      hasModels ? usable : [],
      { offersWithinMs, signal },
    )
    return [
      ...trials.map(trialFinding),
      ...silent.map((engine) =>
        error(
          `The engine ${engine} offers no voice${reasons[0] === undefined ? '' : `: ${reasons[0]}`}.`,
          'docs/engines.md describes its settings.',
        ),
      ),
    ]
  } catch (problem) {
    if (!(problem instanceof StartupError)) throw problem
    return problem.lines.map((line) => error(line, 'Correct the engines file; docs/engines.md describes it.'))
  }
}
