import { mkdir, mkdtemp, symlink, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeToneModel } from '@parlance/testing'
import { readModelsFolder } from '../src/index.js'
import { useModels } from './model-scene.js'

const { home } = useModels()

describe('a models folder', () => {
  test('is read folder by folder, valid or not; files and hidden folders are skipped', async () => {
    const dir = await mkdtemp(join(home(), 'dir-'))
    await writeToneModel(join(dir, 'b-good'))
    await mkdir(join(dir, 'a-bad'))
    await mkdir(join(dir, '..data'))
    await writeFile(join(dir, 'README.md'), 'Models.')
    expect((await readModelsFolder(dir)).map(({ name, reading }) => [name, Object.keys(reading)])).toEqual([
      ['a-bad', ['problems']],
      ['b-good', ['model']],
    ])
  })

  test('refuses the second of two folders that would have the same name', async () => {
    const dir = await mkdtemp(join(home(), 'dir-'))
    await writeToneModel(join(dir, 'Amy_low'))
    await writeToneModel(join(dir, 'amy-low'))
    const [first, second] = await readModelsFolder(dir)
    expect(first?.reading).toHaveProperty('model')
    expect(second?.reading).toEqual({
      problems: ['The name is too similar to that of the folder Amy_low: rename one of them'],
    })
  })

  test('refuses a folder with a broken link', async () => {
    const dir = await mkdtemp(join(home(), 'dir-'))
    await writeToneModel(join(dir, 'good'))
    await writeToneModel(join(dir, 'loose'))
    await unlink(join(dir, 'loose', 'tokens.txt'))
    await symlink(join(dir, 'nowhere'), join(dir, 'loose', 'tokens.txt'))
    await symlink(join(dir, 'nowhere'), join(dir, 'gone'))
    expect((await readModelsFolder(dir)).map(({ reading }) => reading)).toEqual([
      { model: expect.anything() },
      { problems: ['tokens.txt is missing'] },
    ])
  })

  test('that does not exist is an error', async () => {
    await expect(readModelsFolder(join(home(), 'nowhere'))).rejects.toThrow('ENOENT')
  })
})
