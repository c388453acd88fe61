import type { FoundFolder } from '@parlance/models'
import { createFakeModelTools } from './fake-model-tools.js'
import { createFakeServices } from './fake-services.js'

const { run } = createFakeServices()

const detector = {
  name: 'a-turn',
  path: '/srv/a-turn',
  purpose: 'detection',
  reading: {
    model: {
      name: 'a-turn',
      displayName: 'A detector',
      kind: 'turn',
      file: '/srv/a-turn/model.onnx',
      languages: [],
      license: 'BSD-2-Clause',
      sizeBytes: 8_679_182,
    },
  },
} as const satisfies FoundFolder

const verify = (outcome: object, asked: string[] = []) => {
  const models = createFakeModelTools({
    findModels: async () => [detector],
    tryTurnModel: async (file) => {
      asked.push(file)
      return outcome as { problems: readonly string[] }
    },
  })
  return async (more = '') => run(`models verify${more}`, { openModels: async () => models, width: undefined })
}

test('verify asks a model that judges the end of turns about a turn', async () => {
  const asked: string[] = []
  const runVerify = verify({ loadMs: 250, detectMs: 81, audioMs: 8000, memoryMegabytes: 152 }, asked)
  const { exitCode, output } = await runVerify()
  expect({ exitCode, asked }).toEqual({ exitCode: 0, asked: ['/srv/a-turn/model.onnx'] })
  expect(output).toMatch(/^a-turn +turn +– +9 MB +Loaded in 0\.3 s, judges a turn in 81 ms, takes 152 MB\.$/m)
  const [turn] = JSON.parse((await runVerify(' --json')).output).models
  expect(turn).toMatchObject({
    kind: 'turn',
    load_ms: 250,
    detect_ms: 81,
    audio_ms: 8000,
    memory_mb: 152,
    problems: [],
  })
})

test('verify ends with 2 when a model does not judge turns', async () => {
  const { exitCode, output } = await verify({ problems: ['It is not Smart Turn v3'] })()
  expect({ exitCode, output }).toEqual({
    exitCode: 2,
    output: expect.stringContaining('Refused: It is not Smart Turn v3.'),
  })
})
