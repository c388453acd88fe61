import { EventEmitter, once } from 'node:events'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writeToneModel } from '@parlance/testing'
import type { FoundFolder } from '../../src/index.js'
import { shareModelsWatch } from '../../src/watch/watch-models.js'
import { useModels } from '../model-scene.js'

const { home } = useModels()
let count = 0

const newModelsDir = () => join(home(), `shared-${++count}`)

/** A watch that notes what it is given. */
const watchNoting = (modelsDir: string) => {
  const events = new EventEmitter()
  const added: FoundFolder[] = []
  const lines: string[] = []
  const note = (line: string) => {
    lines.push(line)
    events.emit('line')
  }
  const watch = shareModelsWatch({
    modelsDir,
    rescanMs: 50,
    onAdded(folder) {
      added.push(folder)
      note(`+${folder.name}`)
    },
    onRemoved: (name) => note(`-${name}`),
    onUnreadable: ({ message }) => note(message),
  })
  const noted = async (line: string) => {
    while (!lines.includes(line)) await once(events, 'line')
  }
  return { ...watch, added, lines, noted }
}

test('watches of one folder receive the same folders, each of which was read once', async () => {
  const modelsDir = newModelsDir()
  await writeToneModel(join(modelsDir, 'a'))
  const [first, second] = [watchNoting(modelsDir), watchNoting(join(modelsDir, '.'))]
  await Promise.all([first.started, second.started])
  await writeToneModel(join(home(), 'b'))
  await rename(join(home(), 'b'), join(modelsDir, 'b'))
  await Promise.all([first.noted('+b'), second.noted('+b')])
  expect(first.added.map(({ name }) => name)).toEqual(['a', 'b'])
  for (const [index, folder] of first.added.entries()) expect(second.added[index]).toBe(folder)
  await Promise.all([first.stop(), second.stop()])
})

test('a later watch receives the folders at once, and continues when the earlier one has stopped', async () => {
  const modelsDir = newModelsDir()
  await writeToneModel(join(modelsDir, 'a'))
  const first = watchNoting(modelsDir)
  await first.started
  const second = watchNoting(modelsDir)
  expect(second.added).toEqual(first.added)
  await first.stop()
  await rm(join(modelsDir, 'a'), { recursive: true })
  await second.noted('-a')
  expect([first.lines, second.lines]).toEqual([['+a'], ['+a', '-a']])
  await second.stop()
})

test('after the last watch of a folder has stopped, the next one reads it again', async () => {
  const modelsDir = newModelsDir()
  await writeToneModel(join(modelsDir, 'a'))
  const first = watchNoting(modelsDir)
  await first.started
  await first.stop()
  await first.stop()
  await rename(join(modelsDir, 'a'), join(modelsDir, 'b'))
  const second = watchNoting(modelsDir)
  await second.started
  expect([first.lines, second.lines]).toEqual([['+a'], ['+b']])
  await second.stop()
})
