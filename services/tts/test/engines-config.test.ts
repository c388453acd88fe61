import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readEnginesConfig } from '../src/engines-config.js'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parlance-engines-'))
})
afterAll(() => rm(folder, { recursive: true }))

const defaults = { espeakProcesses: 2, cacheMegabytes: 32, installedEngines: false }
const read = async (content: unknown) => {
  const path = join(folder, 'engines.json')
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
  return readEnginesConfig(path, defaults)
}
const espeak = { type: 'espeak-ng' }

test('without a file there is the engine that comes with Parlance, and those of the machine when they are enabled', async () => {
  const { engines, optional, fallbacks, cache } = await readEnginesConfig(undefined, defaults)
  expect(Object.keys(engines)).toEqual(['espeak-ng'])
  expect(optional).toEqual([])
  const installed = await readEnginesConfig(undefined, { ...defaults, installedEngines: true })
  expect(Object.keys(installed.engines)).toEqual(['espeak-ng', 'flite'])
  expect(installed.optional).toEqual(['flite'])
  expect(fallbacks).toEqual([])
  expect(cache).toEqual({ megabytes: 32, private: false })
})

test('engines have names of their own, and there may be several of a type', async () => {
  const { engines, optional, place } = await read({
    engines: { quick: espeak, 'second-one': { ...espeak, processes: 1 } },
  })
  expect(Object.keys(engines)).toEqual(['quick', 'second-one'])
  expect(optional).toEqual([])
  expect(place).toBe(`TTS_ENGINES_FILE: ${join(folder, 'engines.json')}`)
})

test('a cache may be of another size, or none', async () => {
  expect((await read({ engines: { a: espeak }, cache: { megabytes: 0 } })).cache.megabytes).toBe(0)
  expect((await read({ engines: { a: espeak }, cache: { redis: {} } })).cache).toEqual({
    megabytes: 32,
    private: false,
    redis: { megabytes: 256, hours: 24 },
  })
})

test.each([
  ['no JSON', '{ "engines": secret }', 'is not JSON'],
  ['no engines', {}, 'engines: '],
  ['an empty list', { engines: {} }, 'engines: names no engine'],
  ['a type that is not there', { engines: { a: { type: 'festival' } } }, 'engines.a.type: '],
  ['a name that is no subject', { engines: { 'My Engine': espeak } }, 'engines.My Engine: '],
  ['a wrong setting', { engines: { a: { ...espeak, processes: 0 } } }, 'engines.a.processes: '],
  [
    'an unknown setting',
    { engines: { a: { ...espeak, api_key: 'secret' } } },
    'engines.a: Unrecognized key: "api_key"',
  ],
  ['an address that is none', { engines: { a: { type: 'openai', base_url: 'secret' } } }, 'engines.a.base_url: '],
  ['an unknown section', { engines: { a: espeak }, engine: {} }, 'Unrecognized key: "engine"'],
  [
    'a fallback without an engine',
    { engines: { a: espeak }, fallbacks: [{ voice: 'x', variant: 'y', instead: [] }] },
    'fallbacks.0.instead: ',
  ],
])('a file with %s is refused, naming file and field and no value', async (_, content, problem) => {
  const failure = await read(content).catch((error: unknown) => error as Error)
  expect(failure).toMatchObject({ name: 'StartupError' })
  expect((failure as Error).message).toContain(`TTS_ENGINES_FILE: ${join(folder, 'engines.json')}: ${problem}`)
  expect((failure as Error).message).not.toContain('secret')
})

test('a file that is not there is named', async () => {
  await expect(readEnginesConfig(join(folder, 'none.json'), defaults)).rejects.toThrow(
    'none.json: cannot be read (ENOENT)',
  )
})
