import { mkdir, mkdtemp, rename, rm, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '@parlance/telemetry'
import { spokenInTones, writeToneRecognizer } from '@parlance/testing'
import { z } from 'zod'
import { openRecognizers, recognitionVariables } from '../../src/stt/open-recognizers.js'
import { patienceMs, recognize } from './describe-recognizer.js'

const speech = spokenInTones('please', 'tell', 'me', 'the', 'time')

let home: string
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'parlance-installed-'))
})
afterAll(() => rm(home, { recursive: true }))

const eventually = async (isSo: () => boolean) => {
  const giveUpAtMs = performance.now() + patienceMs / 2
  while (!isSo() && performance.now() < giveUpAtMs) await new Promise((resolve) => setTimeout(resolve, 10))
  expect(isSo()).toBe(true)
}

test('recognizers come and go with the folders of their models, and a conversation keeps the one that it has', async () => {
  const modelsDir = join(home, 'models')
  await mkdir(modelsDir)
  await writeToneRecognizer(join(modelsDir, 'broken-en'))
  await unlink(join(modelsDir, 'broken-en/joiner.onnx'))
  await writeToneRecognizer(join(modelsDir, 'tones-fr'))
  const log: { msg: string; level: string; folder?: string; err?: { message: string } }[] = []
  const logger = createLogger({ name: 'test', destination: { write: (line) => log.push(JSON.parse(line)) } })
  const config = z
    .object(recognitionVariables)
    .parse({ STT_PROVIDER: 'sherpa-onnx', MODELS_DIR: modelsDir, STT_SHERPA_PROCESSES: '1' })
  const recognizers = await openRecognizers(config, { logger, readSecret: () => '' })
  const nameFor = (language: string) => recognizers.find(language)?.name

  expect(nameFor('fr')).toBe('sherpa-onnx/tones-fr')
  expect(nameFor('en')).toBeUndefined()
  expect(log.filter(({ level }) => level === 'error')).toMatchObject([
    { folder: 'broken-en', err: { message: 'joiner.onnx is missing' } },
  ])
  await writeToneRecognizer(join(home, 'tones-en'))
  await rename(join(home, 'tones-en'), join(modelsDir, 'tones-en'))
  await eventually(() => nameFor('en') !== undefined)

  const recognizer = recognizers.find('en')!
  const release = recognizer.keepWarm!()
  expect((await recognize(recognizer, speech)).text).toBe('please tell me the time')
  const recognition = recognizer.open({ language: 'en', onPartial() {} })
  await rm(join(modelsDir, 'tones-en'), { recursive: true })
  await eventually(() => nameFor('en') === undefined)
  recognition.push(speech)
  expect((await recognition.finish()).text).toBe('please tell me the time')
  expect((await recognize(recognizer, speech)).text).toBe('please tell me the time')
  release()
  expect(nameFor('fr')).toBe('sherpa-onnx/tones-fr')
  await recognizers.close()
  await expect(recognize(recognizer, speech)).rejects.toMatchObject({ code: 'draining' })
})
