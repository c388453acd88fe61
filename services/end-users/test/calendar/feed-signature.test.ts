import { randomBytes, randomUUID } from 'node:crypto'
import { createFeedSignatures } from '../../src/calendar/feed-signature.js'

const signatures = createFeedSignatures('a-key-for-tests-only')
const calendar = { workspaceId: randomUUID(), endUserId: randomUUID(), generation: randomBytes(8) }

test('a signature contains its calendar, and is always the same', () => {
  const signature = signatures.sign(calendar)
  expect(signatures.read(signature)).toEqual(calendar)
  expect(signatures.sign(calendar)).toBe(signature)
})

test('a signature shows neither id, and has nothing in common with that of another calendar', () => {
  const signature = signatures.sign(calendar)
  const bytes = Buffer.from(signature, 'base64url')
  for (const id of [calendar.workspaceId, calendar.endUserId]) {
    expect(bytes.includes(Buffer.from(id.replaceAll('-', ''), 'hex'))).toBe(false)
  }
  const other = Buffer.from(signatures.sign({ ...calendar, generation: randomBytes(8) }), 'base64url')
  const same = bytes.filter((byte, index) => byte === other[index])
  expect(same.length).toBeLessThan(10)
})

test('a changed signature is refused', () => {
  const signature = signatures.sign(calendar)
  const bytes = Buffer.from(signature, 'base64url')
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const changed = Buffer.from(bytes)
    changed[bit >> 3]! ^= 1 << (bit & 7)
    expect(signatures.read(changed.toString('base64url'))).toBeUndefined()
  }
  const otherwise = [`${signature}A`, signature.slice(1), `${signature}=`, signature.toUpperCase(), '', '../../etc']
  for (const text of otherwise) expect(signatures.read(text)).toBeUndefined()
  // The last character has unused bits.
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const read = [...alphabet].filter((last) => signatures.read(signature.slice(0, -1) + last) !== undefined)
  expect(read).toEqual([signature.at(-1)])
})

test('a signature by another key is refused', () => {
  expect(createFeedSignatures('another-key-for-tests').read(signatures.sign(calendar))).toBeUndefined()
})
