import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StartupError } from '@parlance/runtime/process'
import { findToolKey } from '../src/find-tool-key.js'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parlance-tool-key-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const secret = `whsk_${Buffer.alloc(32, 7).toString('base64')}`

test('the key of a variable, of a file, and of an installation in its folder', async () => {
  const file = join(folder, 'key')
  await writeFile(file, `${secret}\n`)
  const key = await findToolKey({ TOOL_SIGNING_KEY: secret })
  expect(key).toMatch(/^whpk_[\w+/]{43}=$/)
  expect(await findToolKey({ TOOL_SIGNING_KEY_FILE: file, NATS_URL: 'nats://a' })).toBe(key)
  const own = await findToolKey({ PARLANCE_DATA: folder })
  expect(own).not.toBe(key)
  expect(await findToolKey({ PARLANCE_DATA: folder })).toBe(own)
})

test('a missing or invalid key is reported in one line', async () => {
  for (const environment of [
    { NATS_URL: 'nats://a' },
    { TOOL_SIGNING_KEY: 'secret' },
    { TOOL_SIGNING_KEY_FILE: folder },
  ]) {
    const error = await findToolKey(environment).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(StartupError)
    expect((error as StartupError).lines).toEqual([expect.not.stringContaining('secret')])
  }
})
