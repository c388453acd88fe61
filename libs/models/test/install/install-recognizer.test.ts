import { readFile, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeToneRecognizer } from '@parlance/testing'
import { readRecognitionFolder } from '../../src/index.js'
import { filesBelow, writeTar } from '../archives.js'
import { home, install, modelOf, modelsDir, serve, source, useScene } from './catalog-scene.js'

useScene()

/** An entry for an archive of what lies in `source`. */
const archived = async (name: string, facts: object) => {
  const archive = join(home, `${name}.tar.gz`)
  await writeTar(archive, await filesBelow(source))
  const { path: _, ...file } = serve(`${name}.tar.gz`, await readFile(archive))
  return modelOf(name, [file], { kind: 'stt', format: 'sherpa-onnx', ...facts })
}

test('a recognition model is installed with the languages and the quality of the catalog', async () => {
  await writeToneRecognizer(join(source, 'encoder-of-some-company'), { kind: 'nemo-transducer' })
  await install(await archived('parakeet', { languages: ['en', 'de'], quality: 83 }))
  expect(await readRecognitionFolder(join(modelsDir, 'parakeet'))).toMatchObject({
    model: { languages: ['en', 'de'], quality: 83, license: 'CC0', files: { kind: 'nemo-transducer' } },
  })
})

test('an original Moonshine model, deep in a package, is converted when it is installed', async () => {
  const folder = join(source, 'package/models/base-en')
  await writeToneRecognizer(folder, { kind: 'merged-moonshine' })
  await unlink(join(folder, 'tokens.txt'))
  await writeFile(join(folder, 'tokenizer.bin'), Buffer.from('\x05<unk>\x03<s>\x04</s>'))
  await install(await archived('moonshine-base', { languages: ['en'] }))
  expect(await readRecognitionFolder(join(modelsDir, 'moonshine-base'))).toMatchObject({
    model: { languages: ['en'], quality: 55, files: { kind: 'moonshine' } },
  })
  expect(await readFile(join(modelsDir, 'moonshine-base/tokens.txt'), 'utf8')).toBe('PHVuaz4= 0\nPHM+ 1\nPC9zPg== 2\n')
})
