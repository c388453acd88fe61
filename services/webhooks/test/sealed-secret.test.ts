import { parsePeppers } from '@parlance/clients/api-key'
import { createSecret, openSecret, sealSecret } from '../src/endpoints/secret-repository.js'
import { peppers } from './scene.js'

const name = {
  workspaceId: '11111111-1111-4111-8111-111111111111',
  endpointId: '22222222-2222-4222-8222-222222222222',
}
const others = [
  { ...name, endpointId: name.workspaceId },
  { ...name, workspaceId: name.endpointId },
]

/** As the first version of this service stored it, under the pepper of the scene. */
const earlier = {
  sealed:
    'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..u4qnudvyTkHdEwt-.N3LOr9ix_Ug_XdS_WccPx7Cz_-xFlEjJqk65rlxtNb4DEft2IosLIYFZ11pDGm8SW1o.C2yxyjveHVr_IVT8fR7UsA',
  pepperVersion: 1,
}
const earlierSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

test('a secret has its own key, and can be opened only for its endpoint', async () => {
  const secret = createSecret()
  const sealed = await sealSecret(peppers, name, secret)
  const header = Buffer.from(sealed.sealed.split('.')[0]!, 'base64url').toString()
  expect(JSON.parse(header)).toMatchObject({ alg: 'A256GCMKW', kid: '1' })
  expect(await openSecret(peppers, name, sealed)).toBe(secret)
  for (const other of others) expect(await openSecret(peppers, other, sealed)).toBeUndefined()
})

test('a secret that an earlier version stored can be opened only for its endpoint, also after a newer pepper was added', async () => {
  expect(await openSecret(peppers, name, earlier)).toBe(earlierSecret)
  const rotated = parsePeppers('2:another-pepper-for-tests,1:a-pepper-for-tests-only')
  expect(await openSecret(rotated, name, earlier)).toBe(earlierSecret)
  for (const other of others) expect(await openSecret(peppers, other, earlier)).toBeUndefined()
  expect(await openSecret(parsePeppers('1:another-pepper-for-tests'), name, earlier)).toBeUndefined()
})
