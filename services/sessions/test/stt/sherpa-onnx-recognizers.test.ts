import { mkdtemp, rm, truncate, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sleep } from '@parlance/async'
import type { OpenModels } from '@parlance/models'
import { createLogger } from '@parlance/telemetry'
import {
  spokenInTones,
  type ToneRecognizerKind,
  type ToneRecognizerOptions,
  toneRecognizerKinds,
  writeToneRecognizer,
} from '@parlance/testing'
import { chooseRecognizer } from '../../src/stt/open-recognizers.js'
import { createRecognizerSet } from '../../src/stt/recognizer-set.js'
import { startInstalledRecognizers } from '../../src/stt/sherpa-onnx-recognizers.js'
import { framesOf } from '../spoken.js'
import { describeRecognizer, patienceMs } from './describe-recognizer.js'
import { talkWithoutWords, unrecognized } from './talk-without-words.js'

const speech = spokenInTones('please', 'tell', 'me', 'the', 'time')
const text = /^please tell me the time$/

let home: string
let count = 0
let log: { msg: string; folder?: string; err?: { message: string } }[] = []
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'parlance-recognizers-'))
})
beforeEach(() => {
  log = []
})
const watching: OpenModels[] = []
const stopAll = () => Promise.all(watching.splice(0).map((models) => models.stop()))
afterAll(async () => {
  await stopAll()
  await rm(home, { recursive: true })
})

/** A models folder with a model in it, or several. */
const modelsFolder = async (models: Readonly<Record<string, ToneRecognizerOptions>>) => {
  const modelsDir = join(home, String(++count))
  for (const [name, options] of Object.entries(models)) await writeToneRecognizer(join(modelsDir, name), options)
  return modelsDir
}

const open = async (modelsDir: string, maxProcesses = 1) => {
  const write = (line: string) => log.push(JSON.parse(line))
  const logger = createLogger({ name: 'test', destination: { write } })
  const set = createRecognizerSet()
  const options = { logger, modelsDir, threads: 1, maxProcesses, maxWaitingPerProcess: 30, finishTimeoutMs: patienceMs }
  const models = startInstalledRecognizers(options, set)
  watching.push(models)
  await models.started
  return set.members
}

describe.each<[ToneRecognizerKind]>([['streaming'], ['sense-voice']])('a %s model', (kind) => {
  describeRecognizer(`a ${kind} model`, async () => {
    const [recognizer] = await open(await modelsFolder({ 'tones-en': { kind } }), 2)
    return { recognizer: recognizer!, speech, text, streaming: kind === 'streaming' }
  })
})

test('for every other kind of model, the client is sent that no words were recognized', async () => {
  const others = toneRecognizerKinds.filter((kind) => kind !== 'streaming' && kind !== 'sense-voice')
  const kinds = others.map((kind) => [`${kind}-en`, { kind }] as const)
  const recognizers = await open(await modelsFolder(Object.fromEntries(kinds)))
  expect(recognizers).toHaveLength(kinds.length)
  for (const recognizer of recognizers) expect(await talkWithoutWords(recognizer)).toEqual(unrecognized)
  await Promise.all(recognizers.map((recognizer) => recognizer.close()))
})

test('a model that decodes whole utterances has partial texts while the user speaks, and its final text is that of the whole', async () => {
  const [recognizer] = await open(await modelsFolder({ 'moonshine-en': { kind: 'merged-moonshine' } }))
  const release = recognizer!.keepWarm!()
  const partials: string[] = []
  for (let attempt = 0; attempt < 10 && partials.length < 3; attempt++) {
    partials.length = 0
    const recognition = recognizer!.open({ language: 'en', onPartial: (partial) => partials.push(partial) })
    for (const frame of framesOf(speech)) {
      recognition.push(frame)
      await sleep(20)
    }
    expect((await recognition.finish()).text).toMatch(text)
    expect(partials.at(-1)).toMatch(text)
  }
  // The first attempts may find no process, which is still starting.
  expect(partials.length).toBeGreaterThanOrEqual(3)
  for (const partial of partials) expect('please tell me the time').toContain(partial)
  release()
  await recognizer!.close()
})

test('of the models of a language the best is chosen, and none that is slower than speech', async () => {
  const modelsDir = await modelsFolder({
    'a-zipformer-en': {},
    'parakeet-v2': { kind: 'nemo-transducer' },
    'sense-voice': { kind: 'sense-voice' },
    'whisper-tiny': { kind: 'whisper' },
  })
  const recognizers = await open(modelsDir)
  const chosen = (language: string) => chooseRecognizer([recognizers], language)?.name
  expect(chosen('en-GB')).toBe('sherpa-onnx/parakeet-v2')
  expect(chosen('yue')).toBe('sherpa-onnx/sense-voice')
  expect(chosen('de')).toBe('sherpa-onnx/whisper-tiny')
  expect(recognizers.map(({ isSlow }) => isSlow)).toEqual([false, false, false, false])
  await stopAll()
  await writeFile(join(modelsDir, 'a-zipformer-en', 'parlance.json'), '{"quality": 90}')
  const [better] = await open(modelsDir)
  expect(chooseRecognizer([[better!]], 'en')?.quality).toBe(90)
  await stopAll()
})

test('each model is a recognizer for its languages, and its loading is logged', async () => {
  const modelsDir = await modelsFolder({
    'streaming-zipformer-fr-2023': {},
    'sense-voice': { kind: 'sense-voice' },
  })
  const recognizers = await open(modelsDir)
  expect(recognizers.map(({ name, languages }) => [name, languages])).toEqual([
    ['sherpa-onnx/sense-voice', ['en', 'ja', 'ko', 'yue', 'zh']],
    ['sherpa-onnx/streaming-zipformer-fr-2023', ['fr']],
  ])
  const lines = log.flatMap(({ msg, folder }) => (/^A recognition model/.test(msg) ? [`${folder}: ${msg}`] : []))
  expect(lines).toEqual([
    'sense-voice: A recognition model is being loaded',
    'sense-voice: A recognition model has been loaded',
    'streaming-zipformer-fr-2023: A recognition model is being loaded',
    'streaming-zipformer-fr-2023: A recognition model has been loaded',
  ])
})

test('models with a missing, cut off or wrong file are logged, and the others are used', async () => {
  const modelsDir = await modelsFolder({
    'good-en': {},
    'missing-en': {},
    'cut-off-en': {},
    'lacking-en': { metadata: { query_head_dims: undefined } },
    'wrong-en': { metadata: { model_type: 'lstm' } },
    'other-tokens-en': {},
  })
  await unlink(join(modelsDir, 'missing-en', 'joiner.onnx'))
  await truncate(join(modelsDir, 'cut-off-en', 'encoder.onnx'), 500)
  await writeFile(join(modelsDir, 'other-tokens-en', 'tokens.txt'), '<blk> 0\nyes 1\n')
  const recognizers = await open(modelsDir)
  expect(recognizers.map(({ name }) => name)).toEqual(['sherpa-onnx/good-en'])
  const lines = Object.fromEntries(
    log.flatMap(({ folder, err }) => (err === undefined ? [] : [[folder, err.message] as const])),
  )
  expect(lines).toEqual({
    'missing-en': 'joiner.onnx is missing',
    'cut-off-en': expect.stringMatching(/^encoder\.onnx is cut off/),
    'lacking-en': expect.stringMatching(/^the engine process ended \(255\): .*query_head_dims/),
    'wrong-en': expect.stringMatching(/^the engine process ended/),
    'other-tokens-en': expect.stringMatching(/^tokens\.txt is of another model/),
  })
  for (const line of Object.values(lines)) expect(line).toMatch(/^[^\n\x1b]{10,500}$/)
})
