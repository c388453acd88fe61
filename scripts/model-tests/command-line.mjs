// `npx parlance models`, as the tests of real models run it.
import assert from 'node:assert/strict'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { mustRun, runChild } from '../child.mjs'
import { startMirror } from './packages.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const program = join(root, 'cli/bin/parlance.mjs')

/** Resolves to the models that `command` prints as JSON. Rejects with an `AssertionError` unless it ends with 0. */
export const modelsOf = async (command, modelsDir) => {
  const args = ['models', command, '--models-dir', modelsDir, '--json']
  const { code, output } = await runChild(process.execPath, [program, ...args])
  assert.equal(code, 0, `parlance ${args.join(' ')} ended with ${code}: ${output}`)
  return JSON.parse(output).models
}

/** Runs a program at a terminal, and presses Enter where a question has a default. */
const terminal = `import os, pty, sys
def read(terminal):
    printed = os.read(terminal, 4096)
    if b'[Y/n] ' in printed: os.write(terminal, b'\\r')
    return printed
sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:], read)))`

/**
 * Runs commands of the documentation as a person types them. `folder` is the home and the folder of Parlance, and has what the
 * commands name. Models are downloaded from the packages. Resolves to the models folder.
 */
export const runDocumented = async (commands, folder) => {
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  const mirror = await startMirror()
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    PARLANCE_MODELS_MIRROR: mirror.url,
    // At a terminal npx would ask the registry for a newer npm.
    npm_config_update_notifier: 'false',
  }
  try {
    const shell = ['bash', '-euo', 'pipefail', '-c', commands]
    await mustRun('python3', ['-c', terminal, ...shell], { cwd: folder, env })
  } finally {
    mirror.close()
  }
  return join(folder, '.parlance/models')
}
