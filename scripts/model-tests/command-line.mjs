// `npx parlance models`, as the tests of real models run it.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runChild } from '../child.mjs'
import { startMirror } from './packages.mjs'

const program = join(fileURLToPath(new URL('../..', import.meta.url)), 'cli/bin/parlance.mjs')

/** Rejects with an `AssertionError` unless the command ends with 0. Resolves to what it printed. */
export const parlance = async (...args) => {
  const { code, output } = await runChild(process.execPath, [program, 'models', ...args])
  assert.equal(code, 0, `parlance models ${args.join(' ')} ended with ${code}: ${output}`)
  return output
}

/** Resolves to the models that `command` prints as JSON. */
export const modelsOf = async (command, modelsDir, ...names) =>
  JSON.parse(await parlance(command, ...names, '--models-dir', modelsDir, '--json')).models

/** Installs models of the catalog from the packages. */
export const install = async (modelsDir, ...names) => {
  const mirror = await startMirror()
  try {
    await parlance('install', ...names, '--accept-license', '--mirror', mirror.url, '--models-dir', modelsDir)
  } finally {
    mirror.close()
  }
}
