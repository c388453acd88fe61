import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSecretReader } from '../src/secret.js'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parlance-secret-'))
})
afterAll(() => rm(folder, { recursive: true }))

test('a secret is read from a variable, or from a file without its line end', async () => {
  const file = join(folder, 'key')
  await writeFile(file, 'from a file\n')
  const readSecret = createSecretReader({ SPEECH_KEY: 'from a variable' })
  expect(readSecret({ env: 'SPEECH_KEY' })).toBe('from a variable')
  expect(readSecret({ file })).toBe('from a file')
})

test('a missing secret is an error that names the variable or file', async () => {
  const empty = join(folder, 'empty')
  await writeFile(empty, '\n')
  const readSecret = createSecretReader({ EMPTY: '' })
  expect(() => readSecret({ env: 'EMPTY' })).toThrow('the variable EMPTY is not set')
  expect(() => readSecret({ env: 'MISSING' })).toThrow('the variable MISSING is not set')
  expect(() => readSecret({ file: empty })).toThrow(`the file ${empty} is empty`)
  expect(() => readSecret({ file: join(folder, 'none') })).toThrow('none cannot be read (ENOENT)')
})
