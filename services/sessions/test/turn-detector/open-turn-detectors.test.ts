import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createLogger } from '@parlance/telemetry'
import { turnOfTones, writeToneTurnModel } from '@parlance/testing'
import { openTurnDetectors, type TurnDetectors } from '../../src/turn-detector/open-turn-detectors.js'

let home: string
let models: string
let opened: TurnDetectors | undefined
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'parlance-turn-models-'))
  models = await mkdtemp(join(home, 'models-'))
})
afterEach(async () => {
  await opened?.close()
  await rm(home, { recursive: true })
})

const open = async (modelsDir: string | undefined) => {
  const messages: string[] = []
  const logger = createLogger({ destination: { write: (line) => void messages.push(JSON.parse(line).msg) } })
  opened = await openTurnDetectors({ modelsDir, logger })
  return { messages, detectors: opened }
}

const eventually = async (isSo: () => boolean) => {
  while (!isSo()) await delay(10)
}

test('a model of the kind turn is found for each of its languages', async () => {
  await writeToneTurnModel(join(models, 'tones'))
  const { detectors, messages } = await open(models)
  expect(detectors.find('fr')).toBeUndefined()
  expect(detectors.find('de-CH')?.name).toBe('smart-turn/tones')
  expect(await detectors.find('en')!.detect(turnOfTones('incomplete'))).toBeLessThan(0.1)
  expect(messages).toContain('The end of turns is judged by the sound of the voice')
})

test('a model that cannot be loaded is logged, and the others are used', async () => {
  await writeToneTurnModel(join(models, 'a-broken-one'))
  await writeFile(join(models, 'a-broken-one/model.onnx'), '')
  await writeToneTurnModel(join(models, 'tones'))
  const { detectors, messages } = await open(models)
  expect(detectors.find('en')?.name).toBe('smart-turn/tones')
  expect(messages).toContain('A model that detects turns cannot be used')
})

test('detectors are added and removed with the folders of their models, and a removed detector has no answers', async () => {
  const { detectors } = await open(models)
  await writeToneTurnModel(join(home, 'tones'))
  await rename(join(home, 'tones'), join(models, 'tones'))
  await eventually(() => detectors.find('en') !== undefined)
  const detector = detectors.find('en')!
  expect(await detector.detect(turnOfTones('incomplete'))).toBeLessThan(0.1)
  await rm(join(models, 'tones'), { recursive: true })
  await eventually(() => detectors.find('en') === undefined)
  expect(await detector.detect(turnOfTones('incomplete'))).toBeUndefined()
})

test('without a models folder there is no detector', async () => {
  const { detectors } = await open(undefined)
  expect(detectors.find('en')).toBeUndefined()
})
