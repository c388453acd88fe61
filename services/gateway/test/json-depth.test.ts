import { testSeed } from '@parlance/testing'
import fc from 'fast-check'
import { isNestedDeeper } from '../src/http/json-body.js'

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0

test('JSON is too deep exactly when its value is, with any content of its strings', () => {
  const text = fc.string({ unit: fc.constantFrom('[', '{', ']', '}', '"', '\\', 'a', '\n', 'é', '😀') })
  const value = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 8 }, text, fc.integer(), tie('array'), tie('object')),
    array: fc.array(tie('value'), { maxLength: 4 }),
    object: fc.dictionary(text, tie('value'), { maxKeys: 4 }),
  })).value
  const seed = testSeed()
  fc.assert(
    fc.property(value, fc.nat(8), fc.constantFrom(0, 2), (made, maxDepth, indent) => {
      const json = Buffer.from(JSON.stringify(made, null, indent))
      expect(isNestedDeeper(json, maxDepth)).toBe(depthOf(made) > maxDepth)
    }),
    { seed, numRuns: 2_000 },
  )
  process.stdout.write(`json depth: seed ${seed}\n`)
})

test.each(['"', '"\\', '"[', ']]]', '', '\\[', '"a" "'])('invalid JSON such as %j is read to its end', (json) => {
  expect(isNestedDeeper(Buffer.from(json), 1)).toBe(false)
})
