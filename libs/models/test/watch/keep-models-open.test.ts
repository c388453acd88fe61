import { EventEmitter, once } from 'node:events'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeToneModel, writeToneRecognizer } from '@parlance/testing'
import { describeModelFailure, keepModelsOpen, type OpenModels, type OpenModelsOptions } from '../../src/index.js'
import { useModels } from '../model-scene.js'

const { home, newModel } = useModels()
let count = 0
const running: OpenModels[] = []
afterEach(async () => {
  for (const models of running.splice(0)) await models.stop()
})

/** The promise to await before a model is open, by its name. */
type Openings = Record<string, (signal: AbortSignal) => Promise<void>>

const keepOpen = (
  openings: Openings = {},
  modelsDir = join(home(), `open-${++count}`),
  options: Pick<OpenModelsOptions<'speech'>, 'rescanMs' | 'backoff'> = {},
) => {
  const events = new EventEmitter()
  const lines: string[] = []
  const log = (line: string) => {
    lines.push(line)
    events.emit('line')
  }
  const models = keepModelsOpen({
    modelsDir,
    ...options,
    purpose: 'speech',
    async open({ model: { name } }, signal) {
      log(`${name} opens`)
      await openings[name]?.(signal)
      log(`${name} is open`)
      return async () => log(`${name} closes`)
    },
    onRefused: (folder, reason) => log(`${folder}: ${(reason as Error).message}`),
    onUnreadable: ({ message }) => log(message),
  })
  running.push(models)
  const logged = async (line: string) => {
    while (!lines.includes(line)) await once(events, 'line')
  }
  /** Moves a model into the folder at once, as an installation does. */
  const install = async (name: string) => rename(await newModel({}, name), join(modelsDir, name))
  const remove = (name: string) => rename(join(modelsDir, name), join(modelsDir, `.${name}.removed`))
  return { models, modelsDir, lines, logged, install, remove }
}

const newModelsDir = async (...names: string[]) => {
  const dir = join(home(), `open-${++count}`)
  for (const name of names) await writeToneModel(join(dir, name))
  return dir
}

test('models are opened one after the other, those that come later too, and closed when they go', async () => {
  const { models, lines, logged, install, remove } = keepOpen({}, await newModelsDir('a', 'b'))
  await models.started
  expect(lines).toEqual(['a opens', 'a is open', 'b opens', 'b is open'])
  await install('c')
  await logged('c is open')
  await remove('a')
  await logged('a closes')
  await models.stop()
  expect(lines.slice(4)).toEqual(['c opens', 'c is open', 'a closes', 'b closes', 'c closes'])
})

test('a model is closed at once while another is being opened, and an opening ends when its folder goes', async () => {
  const never = (signal: AbortSignal) =>
    new Promise<void>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  const { models, lines, logged, install, remove } = keepOpen({ slow: never }, await newModelsDir('a'))
  await models.started
  await install('slow')
  await logged('slow opens')
  await remove('a')
  await logged('a closes')
  await remove('slow')
  await install('b')
  await logged('b is open')
  expect(lines.filter((line) => line.startsWith('slow'))).toEqual(['slow opens'])
})

test('a folder that changes is opened again after the model before was closed', async () => {
  const modelsDir = await newModelsDir('a')
  const { models, lines, logged } = keepOpen({}, modelsDir)
  await models.started
  lines.length = 0
  await writeFile(join(modelsDir, 'a/parlance.json'), '{"display_name":"Ada"}')
  await logged('a is open')
  expect(lines).toEqual(['a closes', 'a opens', 'a is open'])
})

test('a model that cannot be opened and an invalid folder are reported once each, and the others are opened', async () => {
  const modelsDir = await newModelsDir('a', 'b', 'c')
  await rm(join(modelsDir, 'b/tokens.txt'))
  await writeToneRecognizer(join(modelsDir, 'hears-en'))
  const fail = () => Promise.reject(new Error('too little memory'))
  const { models, lines, logged, install } = keepOpen({ a: fail }, modelsDir)
  await models.started
  expect([...lines].sort()).toEqual([
    'a opens',
    'a: too little memory',
    'b: tokens.txt is missing',
    'c is open',
    'c opens',
  ])
  await install('d')
  await logged('d is open')
  expect(lines.filter((line) => /^[ab]/.test(line))).toHaveLength(3)
})

test('a models folder that comes later is found without a notification', async () => {
  const { models, modelsDir, logged } = keepOpen({}, undefined, { rescanMs: 20 })
  await models.started
  await writeToneModel(join(modelsDir, 'a'))
  await logged('a is open')
})

test('a model that could not be opened is tried again, and its folder has the reason until it opens', async () => {
  const modelsDir = await newModelsDir('a')
  const described: (string | undefined)[] = []
  const failTwice = async () => {
    described.push(await describeModelFailure(join(modelsDir, 'a')))
    if (described.length < 3) throw new Error(`too little memory\nat attempt ${described.length}`)
  }
  const { models, lines, logged } = keepOpen({ a: failTwice }, modelsDir, { backoff: { firstMs: 10, maxMs: 10 } })
  await models.started
  expect(lines.slice(0, 2)).toEqual(['a opens', 'a: too little memory\nat attempt 1'])
  await logged('a is open')
  expect(described).toEqual([
    undefined,
    expect.stringMatching(/^It could not be opened at 20.* and will be tried again: too little memory at attempt 1$/),
    expect.stringMatching(/at attempt 2$/),
  ])
  await models.stop()
  expect(await describeModelFailure(join(modelsDir, 'a'))).toBeUndefined()
})

test('attempts that fail for the same reason are reported once', async () => {
  let attempts = 0
  const reasons = ['too little memory', 'too little memory', 'the file is broken', 'the file is broken']
  const fail = async () => {
    const reason = reasons[attempts++]
    if (reason !== undefined) throw new Error(reason)
  }
  const { lines, logged } = keepOpen({ a: fail }, await newModelsDir('a'), { backoff: { firstMs: 10, maxMs: 10 } })
  await logged('a is open')
  expect(attempts).toBe(5)
  expect(lines.filter((line) => line.startsWith('a:'))).toEqual(['a: too little memory', 'a: the file is broken'])
})

test('a model is not tried again when its folder has gone, nor after the end', async () => {
  let attempts = 0
  const fail = async () => {
    attempts += 1
    throw new Error('too little memory')
  }
  const { models, lines, logged, install, remove } = keepOpen({ a: fail }, await newModelsDir('a'), {
    backoff: { firstMs: 60_000, maxMs: 60_000 },
  })
  await models.started
  await remove('a')
  await install('b')
  await logged('b is open')
  // This awaits the end of all attempts, which are a minute apart.
  await models.stop()
  expect(attempts).toBe(1)
  expect(lines.at(-1)).toBe('b closes')
})
