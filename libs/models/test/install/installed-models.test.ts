import { cp, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readFolder } from '../../src/index.js'
import { findChangedFiles, InstallError, isOutdated, readInstallRecord, removeModel } from '../../src/install/index.js'
import { install, modelsDir, piperModel, refusal, serve, server, useScene, visible } from './catalog-scene.js'

useScene()

test('an update replaces the installed model as a whole, and a failed one leaves it', async () => {
  const model = await piperModel()
  const { folder } = await install(model)
  const record = (await readInstallRecord(folder))!
  expect(isOutdated(model, record)).toBe(false)
  const { size_bytes, sha256, md5 } = serve(
    'en_US-joe-medium.onnx',
    Buffer.concat([server.files['en_US-joe-medium.onnx']!.content, Buffer.alloc(0)]),
  )
  const newer = {
    ...model,
    files: [
      { ...model.files[0]!, url: 'https://collection.example/v2/en_US-joe-medium.onnx', size_bytes, sha256, md5 },
      ...model.files.slice(1),
    ],
  }
  expect(isOutdated(newer, record)).toBe(true)
  server.files['en_US-joe-medium.onnx']!.status = 404
  expect((await refusal(newer, { replace: true })).failure).toBe('gone')
  expect((await readFolder(folder)).reading).toHaveProperty('model')
  delete server.files['en_US-joe-medium.onnx']!.status
  await install(newer, { replace: true })
  expect(isOutdated(newer, (await readInstallRecord(folder))!)).toBe(false)
  expect(await visible()).toEqual(['en_US-joe-medium'])
})

test('a file that was changed or lost since the installation is found', async () => {
  const { folder } = await install(await piperModel())
  const record = (await readInstallRecord(folder))!
  expect(await findChangedFiles(folder, record)).toEqual([])
  await writeFile(join(folder, 'tokens.txt'), 'a 1\n')
  await rm(join(folder, 'MODEL_CARD'))
  expect(await findChangedFiles(folder, record)).toEqual([
    'MODEL_CARD is missing since the model was installed',
    'tokens.txt was changed since the model was installed',
  ])
})

describe('a model that is removed', () => {
  test('is removed, and the others stay with the data that they share', async () => {
    const model = await piperModel()
    await install(model)
    await cp(join(modelsDir, model.name), join(modelsDir, 'other'), { recursive: true, verbatimSymlinks: true })
    await removeModel(modelsDir, model.name)
    expect(await visible()).toEqual(['other'])
    expect((await stat(join(modelsDir, 'other/espeak-ng-data/phontab'))).isFile()).toBe(true)
  })

  test.each(['nothing', '../models', '.espeak-ng-data', ''])('must be one: "%s" is refused', async (name) => {
    await install(await piperModel())
    await expect(removeModel(modelsDir, name)).rejects.toThrow(InstallError)
    expect(await visible()).toEqual(['en_US-joe-medium'])
  })
})
