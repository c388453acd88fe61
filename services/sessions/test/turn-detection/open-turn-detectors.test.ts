import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '@parlance/telemetry'
import { turnOfTones, writeToneTurnModel } from '@parlance/testing'
import { openTurnDetectors, type TurnDetectors } from '../../src/turn-detection/open-turn-detectors.js'

let models: string
let opened: TurnDetectors | undefined
beforeEach(async () => {
  models = await mkdtemp(join(tmpdir(), 'parlance-turn-models-'))
})
afterEach(async () => {
  await opened?.close()
  await rm(models, { recursive: true })
})

const open = async (modelsDir: string | undefined) => {
  const messages: string[] = []
  const logger = createLogger({ destination: { write: (line) => void messages.push(JSON.parse(line).msg) } })
  opened = await openTurnDetectors({ ENDPOINTING_MODELS_DIR: modelsDir }, { logger })
  return { messages, detectors: opened }
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
  expect(messages).toContain('A model folder is refused')
})

test.each([
  ['no folder is configured', () => undefined],
  ['the folder is missing', () => join(models, 'none')],
  ['the folder has no model', () => models],
])('where %s there is no detector', async (_, folder) => {
  const { detectors } = await open(folder())
  expect(detectors.find('en')).toBeUndefined()
})
