import { randomBytes } from 'node:crypto'
import { createModelKeys, modelKeysEnv } from '@parlance/clients/model-keys'
import { z } from 'zod'

const provider = { workspaceId: 'a-workspace', providerId: 'a-provider' }
const parse = (text?: string) => z.object(modelKeysEnv).parse({ MODEL_PROVIDER_KEYS: text }).MODEL_PROVIDER_KEYS
const keys = createModelKeys(parse(`1:${randomBytes(32).toString('base64')}`))

test('a key is opened only for its provider in its workspace', async () => {
  const sealed = await keys.seal(provider, 'sk-secret')
  expect(sealed).not.toContain('sk-secret')
  expect(await keys.open(provider, sealed)).toBe('sk-secret')
  for (const other of [{ providerId: 'another' }, { workspaceId: 'another' }]) {
    await expect(keys.open({ ...provider, ...other }, sealed)).rejects.toMatchObject({ code: 'unavailable' })
  }
})

test('no key is stored or read where the operator has set no master key', async () => {
  const sealed = await keys.seal(provider, 'sk-secret')
  const none = createModelKeys(parse())
  const refused = { code: 'unavailable', detail: expect.stringContaining('MODEL_PROVIDER_KEYS') }
  await expect(none.seal(provider, 'sk-secret')).rejects.toMatchObject(refused)
  await expect(none.open(provider, sealed)).rejects.toMatchObject({ code: 'unavailable' })
})
