import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StartupError } from '@parlance/runtime'
import { openStandaloneEnvironment } from '../../src/installation/standalone-environment.js'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parlance-environment-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const open = async (given = {}) => openStandaloneEnvironment({ PARLANCE_DATA: join(folder, 'data'), ...given })

const refusal = (given = {}) =>
  open(given).then(
    () => [],
    (error: unknown) => (error instanceof StartupError ? error.lines : [`not for a person: ${error}`]),
  )

test('secrets are created once, stored in a file that only its owner can read, and found again', async () => {
  const { environment } = await open()
  const again = await open()
  expect(environment.API_KEY_PEPPERS).toMatch(/^1:[\w-]{43}$/)
  expect(environment.CALENDAR_FEED_KEY).toMatch(/^[\w-]{43}$/)
  expect(environment.TOOL_SIGNING_KEY).toMatch(/^whsk_[\w+/]{43}=$/)
  expect(environment.MODEL_PROVIDER_KEYS).toMatch(/^1:[\w-]{43}$/)
  expect(again.environment).toEqual(environment)
  expect((await stat(join(folder, 'data/secrets.json'))).mode & 0o777).toBe(0o600)
})

test('given secrets are kept, and no others are created', async () => {
  const given = {
    API_KEY_PEPPERS: '7:given-by-the-operator',
    CALENDAR_FEED_KEY: 'given-as-well',
    TOOL_SIGNING_KEY_FILE: 'key',
    MODEL_PROVIDER_KEYS: '2:given-as-well-by-them',
    HOST: '::',
    PORT: '9000',
  }
  const { environment, url } = await open(given)
  expect(environment).toMatchObject(given)
  expect(environment.TOOL_SIGNING_KEY).toBeUndefined()
  expect(url).toBe('http://127.0.0.1:9000')
  await expect(stat(join(folder, 'data'))).rejects.toThrow()
})

test('only this machine is served unless HOST is set', async () => {
  expect(await open({ HOST: '', PORT: '' })).toMatchObject({
    environment: { HOST: '127.0.0.1', PORT: '8080', API_KEY_ENVIRONMENT: 'dev', LOG_LEVEL: 'warn' },
    url: 'http://127.0.0.1:8080',
  })
  expect((await open({ HOST: '::1' })).url).toBe('http://[::1]:8080')
})

test('a secret that an earlier version did not have is created, and the existing ones are kept', async () => {
  const file = join(folder, 'data/secrets.json')
  await open()
  await writeFile(file, '{"api_key_peppers":"1:standing"}')
  const { environment } = await open()
  expect(environment.API_KEY_PEPPERS).toBe('1:standing')
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
    api_key_peppers: '1:standing',
    calendar_feed_key: environment.CALENDAR_FEED_KEY,
    model_provider_keys: environment.MODEL_PROVIDER_KEYS,
    tool_signing_key: environment.TOOL_SIGNING_KEY,
  })
})

test('damaged secrets are refused in one line, and are not changed', async () => {
  await open()
  const file = join(folder, 'data/secrets.json')
  await writeFile(file, '{"api_key_pep')
  expect(await refusal()).toEqual([expect.stringMatching(/secrets\.json is damaged\. Restore it/)])
  expect(await readFile(file, 'utf8')).toBe('{"api_key_pep')
})

test('a data folder that cannot be created is reported in one line', async () => {
  await writeFile(join(folder, 'file'), '')
  const lines = await refusal({ PARLANCE_DATA: join(folder, 'file/data') })
  expect(lines).toEqual([expect.stringContaining('secrets.json cannot be')])
})
