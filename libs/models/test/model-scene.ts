import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ToneModelOptions, writeToneModel } from '@parlance/testing'
import { readModelFolder, type SpeechModel } from '../src/index.js'

/** A folder for models of a test file, which is removed at its end. */
export const useModels = () => {
  let home: string
  let count = 0
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'parlance-models-'))
  })
  afterAll(() => rm(home, { recursive: true }))

  return {
    home: () => home,
    newModel: async (options: ToneModelOptions = {}, name = 'tones') => {
      const path = join(home, String(++count), name)
      await writeToneModel(path, options)
      return path
    },
  }
}

export const good = async (path: string): Promise<SpeechModel> => {
  const reading = await readModelFolder(path)
  if ('problems' in reading) throw new Error(reading.problems.join('\n'))
  return reading.model
}

export const problemsOf = async (path: string): Promise<readonly string[]> => {
  const reading = await readModelFolder(path)
  return 'problems' in reading ? reading.problems : []
}

export const writeEspeakData = async (path: string) => {
  await mkdir(join(path, 'espeak-ng-data'))
  for (const file of ['phontab', 'phonindex', 'phondata', 'intonations']) {
    await writeFile(join(path, 'espeak-ng-data', file), 'data')
  }
}
