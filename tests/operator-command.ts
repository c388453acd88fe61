import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))
/** An id that no workspace has. */
export const unknownId = '0f0b9d0c-6a3c-4f43-8d0e-1c8f2f1f7f10'

/** The working folder of a command, and the variables of its environment. */
export interface Place {
  folder: string
  environment?: Record<string, string>
}

/** Starts a command; `ended` resolves with its exit code and all of its output. */
export const begin = (place: Place, args: readonly string[], program = join(root, 'cli/bin/parlance.mjs')) => {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: place.folder,
    env: { PATH: process.env.PATH, ...place.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let errors = ''
  child.stdout.on('data', (text) => {
    output += text
  })
  child.stderr.on('data', (text) => {
    errors += text
  })
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, output, errors }))
  return { child, ended }
}
export const run = (place: Place, ...args: string[]) => begin(place, args).ended

/** The JSON that a command prints. Rejects unless the command succeeds. */
// biome-ignore lint/suspicious/noExplicitAny: the test states what the output contains
export const ask = async (place: Place, ...args: string[]): Promise<any> => {
  const { code, output, errors } = await run(place, ...args, '--json')
  expect({ code, errors }).toEqual({ code: 0, errors: '' })
  return JSON.parse(output)
}

/** Expects exit code 1 and one line on standard error. */
export const expectRefusal = async (place: Place, args: string[], expected: RegExp) => {
  const { code, output, errors } = await run(place, ...args)
  expect({ code, output }).toEqual({ code: 1, output: '' })
  expect(errors).toMatch(/^error: [^\n]+\n$/)
  expect(errors).toMatch(expected)
}

/** A new temporary folder, which the caller removes. */
export const newFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parlance-operator-'))
  // As root, Postgres runs under another account, which must be able to enter.
  await chmod(folder, 0o711)
  return folder
}
