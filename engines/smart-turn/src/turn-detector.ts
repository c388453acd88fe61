import { readFile } from 'node:fs/promises'
import {
  EngineUnavailableError,
  type HostedTurnDetector,
  loadOnnxRuntime,
  type OnnxModelOptions,
  type OnnxRuntime,
} from '@parlance/engine/host'
import { smartTurn } from './smart-turn.js'

/** A kind of turn model: a network that takes features of the end of a turn and returns how likely the speaker has finished. */
export interface TurnModel extends OnnxModelOptions {
  /** The name in logs. */
  readonly engine: string
  /** The name in error messages. */
  readonly displayName: string
  /** How much of the end of a turn the model uses. */
  readonly maxAudioMs: number
  /** Returns the input of the network for mono s16 samples at 16 kHz, of which only the end is used. */
  features(samples: Int16Array): Float32Array
}

/** All kinds. A file is of the first kind whose network runs. */
const turnModels: readonly TurnModel[] = [smartTurn]

const sampleRateHz = 16_000

const open = async (runtime: OnnxRuntime, bytes: Uint8Array, kind: TurnModel): Promise<HostedTurnDetector> => {
  const { engine, maxAudioMs, features } = kind
  const network = runtime.openModel(bytes, kind)
  const detect = async (samples: Int16Array): Promise<number> => {
    const probability = network.run(features(samples))
    if (probability >= 0 && probability <= 1) return probability
    throw new Error(`the model returned ${probability} for a probability`)
  }
  // The first run takes longest, and shows whether the model works.
  await detect(new Int16Array((maxAudioMs * sampleRateHz) / 1000))
  return { hello: { engine, version: runtime.version, sampleRateHz, maxAudioMs }, detect }
}

/** Opens a turn model. Rejects with an `EngineUnavailableError` when the file is missing or is of no known kind. */
export const openTurnDetector = async (file: string): Promise<HostedTurnDetector> => {
  const runtime = await loadOnnxRuntime(import.meta.resolve('sherpa-onnx-node/package.json'))
  const bytes = await readFile(file).catch((cause: NodeJS.ErrnoException) => {
    throw new EngineUnavailableError(`the model ${file} cannot be read (${cause.code})`, { cause })
  })
  const refusals: string[] = []
  for (const kind of turnModels) {
    try {
      return await open(runtime, bytes, kind)
    } catch (error) {
      refusals.push(`${file} is not ${kind.displayName}: ${(error as Error).message}`)
    }
  }
  throw new EngineUnavailableError(refusals.join('; '))
}
