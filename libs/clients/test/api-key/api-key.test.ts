import { createApiKey, parseApiKey, visiblePrefix } from '@parlance/clients/api-key'
import fc from 'fast-check'

test('a key has the documented form, and its environment can be parsed', () => {
  expect(createApiKey('prd')).toMatch(/^awp_prd_[0-9A-Za-z]{38}$/)
  expect(parseApiKey(createApiKey('prd'))).toEqual({ environment: 'prd' })
  expect(parseApiKey(createApiKey('dev'))).toEqual({ environment: 'dev' })
})

test('no two keys are the same, and all characters are about equally frequent', () => {
  const keys = Array.from({ length: 5_000 }, () => createApiKey('prd'))
  expect(new Set(keys).size).toBe(keys.length)
  const counts = new Map<string, number>()
  for (const key of keys) for (const c of key.slice(8, 40)) counts.set(c, (counts.get(c) ?? 0) + 1)
  expect(counts.size).toBe(62)
  const expected = (5_000 * 32) / 62
  // Six standard deviations: fails by chance once in millions of runs.
  for (const count of counts.values()) expect(Math.abs(count - expected)).toBeLessThan(6 * Math.sqrt(expected))
})

test('a key with a changed character, two swapped characters or a missing end is invalid', () => {
  fc.assert(
    fc.property(fc.nat(37), fc.stringMatching(/^[0-9A-Za-z]$/), (at, character) => {
      const key = createApiKey('prd')
      const place = 8 + at
      const changed = key.slice(0, place) + character + key.slice(place + 1)
      expect(parseApiKey(changed) === undefined).toBe(changed !== key)
      const [a, b] = [key[place] ?? '', key[place + 1] ?? '']
      const swapped = key.slice(0, place) + b + a + key.slice(place + 2)
      expect(parseApiKey(swapped) === undefined).toBe(swapped !== key)
      expect(parseApiKey(key.slice(0, place))).toBeUndefined()
      expect(parseApiKey(`${key}${character}`)).toBeUndefined()
    }),
  )
})

test('only keys parse, and no text throws', () => {
  fc.assert(fc.property(fc.string(), (text) => parseApiKey(text) === undefined))
  for (const token of ['awst_', 'awtt_', 'awp_tst_'])
    expect(parseApiKey(token + createApiKey('prd').slice(8))).toBeUndefined()
})

test('the checksum covers the environment', () => {
  expect(parseApiKey(createApiKey('prd').replace('prd', 'dev'))).toBeUndefined()
})

test('the visible prefix shows four random characters', () => {
  expect(visiblePrefix('awp_prd_abcdefgh')).toBe('awp_prd_abcd')
})
