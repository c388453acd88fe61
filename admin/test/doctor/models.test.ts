import type { FoundFolder } from '@parlance/models'
import type { InstallRecord } from '@parlance/models/install'
import { checkModels } from '../../src/doctor/checks/models.js'
import { createFakeModelTools } from '../fake-model-tools.js'
import { createContext, expectFinding, expectFine } from './check-context.js'

const folder = (name: string, reading: object = { model: { name } }) =>
  ({ name, path: `/srv/${name}`, purpose: 'speech', reading }) as unknown as FoundFolder
const record = { content: [{ path: 'model.onnx', size_bytes: 1, sha256: 'a' }] } as unknown as InstallRecord

const check = (folders: readonly FoundFolder[], changed: string[] = []) => {
  const models = createFakeModelTools({
    findModels: async () => folders,
    readRecord: async (path) => (path.endsWith('by-hand') ? undefined : record),
    findChangedFiles: async () => changed,
  })
  return checkModels(createContext({ models }))
}

test('models with unchanged files are fine', async () => {
  expectFine(await check([folder('joe'), folder('amy')]))
})

test('a changed file, and a folder without a model, are errors', async () => {
  expectFinding(
    await check([folder('joe')], ['model.onnx was changed']),
    'error',
    /joe has changed since its installation: model\.onnx/,
  )
  expectFinding(
    await check([folder('joe', { problems: ['it is cut off'] })]),
    'error',
    /joe cannot be used: it is cut off/,
  )
})

test('a model without a record is a warning', async () => {
  expectFinding(await check([folder('by-hand')]), 'warning', /by-hand has no record/)
})

test('without a model there is nothing to check', async () => {
  expectFinding(await check([]), 'skipped', /There is no model in/)
})
