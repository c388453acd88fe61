import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ServiceError } from '@parlance/contracts'
import { createLogger } from '@parlance/telemetry'
import { type ToneModelOptions, writeToneModel } from '@parlance/testing'
import type { Engine, SpeechEvent, Utterance } from '../src/engine/engine.js'
import { openSherpaOnnxEngines, sherpaOnnxEngineConfig } from '../src/engine/sherpa-onnx-engine.js'
import { listen } from './engine-scene.js'

export interface Line {
  readonly level: string
  readonly msg: string
  readonly pid?: number
  readonly folder?: string
  readonly err?: { readonly message: string }
}

let home: string
const opened: Engine[] = []

/** Removes the models and closes the engines of a test file at its end. */
export const useModelsHome = () => {
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'parlance-sherpa-'))
  })
  afterAll(async () => {
    await Promise.all(opened.map((engine) => engine.close()))
    await rm(home, { recursive: true })
  })
  return () => home
}

export const newModelsDir = async (models: Readonly<Record<string, ToneModelOptions>>) => {
  const dir = await mkdtemp(join(home, 'models-'))
  for (const [name, options] of Object.entries(models)) await writeToneModel(join(dir, name), options)
  return dir
}

export const open = async (modelsDir: string, config: object = {}) => {
  const lines: Line[] = []
  const replaced: string[] = []
  const logger = createLogger({ name: 'test', destination: { write: (line) => lines.push(JSON.parse(line)) } })
  const engines = await openSherpaOnnxEngines(
    'local',
    sherpaOnnxEngineConfig.parse({ type: 'sherpa-onnx', models_dir: modelsDir, threads: 1, processes: 1, ...config }),
    { logger, readSecret: () => '', onReplace: (engine) => replaced.push(engine) },
  )
  opened.push(...engines)
  return { engines, lines, replaced, logged: (message: string) => lines.filter(({ msg }) => msg === message) }
}

/** Resolves when the engine is worth asking. */
export const healthy = async (engine: Engine): Promise<Engine> => {
  const changed = new EventTarget()
  const stop = engine.onHealthChange(() => changed.dispatchEvent(new Event('change')))
  while (!engine.healthy()) await once(changed, 'change')
  stop()
  return engine
}

export const openOne = async (options: ToneModelOptions = {}, config: object = {}) => {
  const scene = await open(await newModelsDir({ tones: options }), config)
  return { ...scene, engine: await healthy(scene.engines[0]!) }
}

export const saying = (
  engine: Engine,
  text: string,
  more: Partial<Utterance> & { speaker?: number } = {},
): Utterance => {
  const { speaker = 0, ...rest } = more
  const { id, variants } = engine.voices[speaker]!
  return { text, voiceId: id, variant: variants[0]!.id, language: null, speed: 1, volume: 1, ...rest }
}

export const speech = (engine: Engine, utterance: Utterance, signal = new AbortController().signal) =>
  engine.speak(utterance, { signal })

export const hear = (engine: Engine, text: string, more?: Parameters<typeof saying>[2]) =>
  listen(engine, speech(engine, saying(engine, text, more)))

/** All samples, once the last has come. */
export const audioOf = async (events: AsyncIterable<SpeechEvent>): Promise<number[]> => {
  const samples: number[] = []
  for await (const event of events) if (event.kind === 'audio') samples.push(...event.pcm)
  return samples
}

/** How often a tone swings in a second. */
export const pitchOf = (samples: readonly number[], sampleRateHz: number): number => {
  const rises = samples.filter((sample, index) => sample >= 0 && (samples[index - 1] ?? 0) < 0).length
  return (rises * sampleRateHz) / samples.length
}

export const codeOf = (failing: Promise<unknown>): Promise<string> =>
  failing.then(
    () => 'no error',
    (error: unknown) => (error instanceof ServiceError ? error.code : String(error)),
  )
