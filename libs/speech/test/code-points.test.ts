import fc from 'fast-check'
import { countCodePoints } from '../src/code-points.js'

test('code points are counted as JavaScript iterates over them, including lone surrogates', () => {
  const units = fc.constantFrom(0x41, 0xd83d, 0xde00, 0xd800, 0xdfff, 0xe9)
  fc.assert(
    fc.property(fc.array(units), (codes) => {
      const text = String.fromCharCode(...codes)
      expect(countCodePoints(text)).toBe([...text].length)
    }),
  )
})
