import { cp, mkdir, rename, rm, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeToneModel } from '@parlance/testing'
import { ModelsScanner } from '../../src/watch/models-scanner.js'
import { useModels } from '../model-scene.js'

const { home, newModel } = useModels()
let count = 0

/** A scanner of a new folder, and a line for each change that it has found. */
const newScanner = () => {
  const modelsDir = join(home(), `scanned-${++count}`)
  const lines: string[] = []
  const scanner = new ModelsScanner({
    modelsDir,
    onAdded: ({ name, reading }) => lines.push(`+${name}${'problems' in reading ? ` ${reading.problems[0]}` : ''}`),
    onRemoved: (name) => lines.push(`-${name}`),
    onUnreadable: ({ message }) => lines.push(message.split(':')[0]!),
  })
  return {
    modelsDir,
    scan: () => scanner.scan(),
    /** The lines since the last call. */
    lines: () => lines.splice(0),
  }
}

test('the first scan finds every model at once; a folder that does not exist has none', async () => {
  const { modelsDir, scan, lines } = newScanner()
  expect(await scan()).toBe(true)
  expect(lines()).toEqual([])
  await writeToneModel(join(modelsDir, 'a'))
  const later = newScanner()
  await cp(modelsDir, later.modelsDir, { recursive: true })
  expect(await later.scan()).toBe(true)
  expect(later.lines()).toEqual(['+a'])
})

test('a folder that is being copied is read when it is the same in two scans, and not refused before', async () => {
  const { modelsDir, scan, lines } = newScanner()
  await scan()
  const source = await newModel()
  await mkdir(join(modelsDir, 'tones'), { recursive: true })
  await cp(join(source, 'tokens.txt'), join(modelsDir, 'tones/tokens.txt'))
  expect(await scan()).toBe(false)
  await cp(source, join(modelsDir, 'tones'), { recursive: true })
  expect(await scan()).toBe(false)
  expect(lines()).toEqual([])
  expect(await scan()).toBe(true)
  expect(lines()).toEqual(['+tones'])
})

test('a folder that goes is removed by the next scan, and one that changes is removed and added', async () => {
  const { modelsDir, scan, lines } = newScanner()
  await writeToneModel(join(modelsDir, 'a'))
  await writeToneModel(join(modelsDir, 'b'))
  await scan()
  lines()
  await rename(join(modelsDir, 'a'), join(modelsDir, '.a.removed'))
  await writeFile(join(modelsDir, 'b/parlance.json'), '{"display_name":"Bea"}')
  expect(await scan()).toBe(false)
  expect(lines()).toEqual(['-a'])
  expect(await scan()).toBe(true)
  expect(lines()).toEqual(['-b', '+b'])
  expect(await scan()).toBe(true)
  expect(lines()).toEqual([])
})

test('hidden files of a model do not change it', async () => {
  const { modelsDir, scan, lines } = newScanner()
  await writeToneModel(join(modelsDir, 'a'))
  await scan()
  lines()
  await writeFile(join(modelsDir, 'a/.parlance-install.json'), '{}')
  expect(await scan()).toBe(true)
  expect(lines()).toEqual([])
})

test('an invalid folder is found once, and again when it is repaired', async () => {
  const { modelsDir, scan, lines } = newScanner()
  await writeToneModel(join(modelsDir, 'a'))
  await rename(join(modelsDir, 'a/tokens.txt'), join(modelsDir, 'tokens.txt'))
  await scan()
  await scan()
  expect(lines()).toEqual(['+a tokens.txt is missing'])
  await rename(join(modelsDir, 'tokens.txt'), join(modelsDir, 'a/tokens.txt'))
  await scan()
  await scan()
  expect(lines()).toEqual(['-a', '+a'])
})

test('a folder whose name was too similar to another is found again when the other is removed', async () => {
  const { modelsDir, scan, lines } = newScanner()
  await writeToneModel(join(modelsDir, 'Amy_low'))
  await writeToneModel(join(modelsDir, 'amy-low'))
  await scan()
  expect(lines()).toEqual(['+Amy_low', expect.stringContaining('+amy-low The name is too similar')])
  await rm(join(modelsDir, 'Amy_low'), { recursive: true })
  await scan()
  expect(lines()).toEqual(['-Amy_low', '-amy-low', '+amy-low'])
})

test('the found folders are kept while the models folder cannot be read, which is reported once', async () => {
  const { modelsDir, scan, lines } = newScanner()
  await writeToneModel(join(modelsDir, 'a'))
  await scan()
  lines()
  await rename(modelsDir, `${modelsDir}.away`)
  await writeFile(modelsDir, 'no folder')
  await scan()
  await scan()
  expect(lines()).toEqual(['ENOTDIR'])
  await unlink(modelsDir)
  await rename(`${modelsDir}.away`, modelsDir)
  await scan()
  expect(lines()).toEqual([])
})
