import { resolve } from 'node:path'
import { StartupError } from '@parlance/runtime/process'
import { type CheckContext, error, type Finding, ok } from '../check.js'
import { type EngineTrial, tryEngines } from '../engine-trials.js'

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
