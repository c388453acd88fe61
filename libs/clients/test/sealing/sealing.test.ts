import { randomBytes } from 'node:crypto'
import { parsePeppers } from '@parlance/clients/api-key'
import { createSealing } from '@parlance/clients/sealing'

const [first, second] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')]
const sealingOf = (keys: string, purpose = 'tests') => createSealing(parsePeppers(keys), purpose)
const decoded = (part: string) => Buffer.from(part, 'base64url').toString()

test('a sealed text does not contain the secret, differs each time, and can be opened', async () => {
  const { seal, open } = sealingOf(`1:${first}`)
  const [one, other] = [await seal('a-secret', 'me'), await seal('a-secret', 'me')]
  expect(one).not.toBe(other)
  for (const part of one.split('.')) expect(decoded(part)).not.toContain('a-secret')
  expect([await open(one, 'me'), await open(other, 'me')]).toEqual(['a-secret', 'a-secret'])
})

test('each secret has a key of its own, which the master key encrypts', async () => {
  const { seal } = sealingOf(`7:${first}`)
  const [one, other] = await Promise.all(['me', 'me'].map((owner) => seal('a-secret', owner)))
  const [header = '', encryptedKey = ''] = one!.split('.')
  expect(JSON.parse(decoded(header))).toMatchObject({ alg: 'A256GCMKW', enc: 'A256GCM', kid: '7' })
  expect(Buffer.from(encryptedKey, 'base64url')).toHaveLength(32)
  expect(other!.split('.')[1]).not.toBe(encryptedKey)
})

test('a secret is opened only for its owner and its purpose, and not after a modification', async () => {
  const { seal, open } = sealingOf(`1:${first}`)
  const sealed = await seal('a-secret', 'me')
  const [header = '', ...rest] = sealed.split('.')
  const changed = JSON.stringify({ ...JSON.parse(decoded(header)), sub: 'you' })
  const forged = [Buffer.from(changed).toString('base64url'), ...rest].join('.')
  expect([await open(sealed, 'you'), await open(forged, 'you'), await open('x', 'me')]).toEqual([
    ...[undefined, undefined, undefined],
  ])
  expect(await sealingOf(`1:${first}`, 'others').open(sealed, 'me')).toBeUndefined()
})

test('a newer master key seals, and an older one still opens', async () => {
  const sealed = await sealingOf(`1:${first}`).seal('a-secret', 'me')
  const rotated = sealingOf(`1:${first},2:${second}`)
  expect(await rotated.open(sealed, 'me')).toBe('a-secret')
  const newer = await rotated.seal('a-secret', 'me')
  expect([rotated.isCurrent(sealed), rotated.isCurrent('x'), rotated.isCurrent(newer)]).toEqual([false, false, true])
  expect(await sealingOf(`2:${second}`).open(newer, 'me')).toBe('a-secret')
  expect([await sealingOf(`1:${first}`).open(newer, 'me'), await sealingOf(`2:${first}`).open(newer, 'me')]).toEqual([
    ...[undefined, undefined],
  ])
})
