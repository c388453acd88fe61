import { parseCredit, priceOfCharacters, printCredit } from '@parlance/clients/credit'
import { creditSchema, decimalSchema } from '@parlance/contracts'
import fc from 'fast-check'

const nano = fc.bigInt({ min: 0n, max: 999_999_999_999_999_999n })

describe('amounts of credit', () => {
  test('a printed amount is parsed as the same amount, and has the form that the contracts require', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }), (amount) => {
        const text = printCredit(amount)
        expect(text).toMatch(/^-?\d+\.(\d\d|\d{2,8}[1-9])$/)
        expect(decimalSchema.safeParse(text).success).toBe(true)
        expect(parseCredit(text)).toBe(amount)
      }),
    )
    fc.assert(fc.property(nano, (amount) => creditSchema.safeParse(printCredit(amount)).success))
  })

  test.each([
    [0n, '0.00'],
    [1n, '0.000000001'],
    [12_400_000_000n, '12.40'],
    [41_200_000n, '0.0412'],
    [-1_500_000_000n, '-1.50'],
    [5_000_000_000n, '5.00'],
    [1_000_000_000_000_000_000n, '1000000000.00'],
  ])('%s billionths are printed as %s', (amount, text) => {
    expect(printCredit(amount)).toBe(text)
  })

  test.each(['', '1.', '.5', '1.0000000001', '1e3', ' 1', '1,5', '+1', '0x1', '--1', 'NaN'])(
    '%p is not an amount',
    (text) => {
      expect(() => parseCredit(text)).toThrow(RangeError)
    },
  )

  test('a price is exact, and rounded up to a billionth where it is not', () => {
    expect(priceOfCharacters('0.015', 1_000)).toBe(15_000_000n)
    expect(priceOfCharacters('0.015', 1)).toBe(15_000n)
    expect(priceOfCharacters('0.000000001', 1)).toBe(1n)
    expect(priceOfCharacters('0.000001001', 1)).toBe(2n)
    expect(priceOfCharacters('0', 1_000_000)).toBe(0n)
    fc.assert(
      fc.property(nano, fc.nat(10_000_000), (per1k, characters) => {
        const price = priceOfCharacters(printCredit(per1k), characters)
        const exactThousandfold = per1k * BigInt(characters)
        expect(price * 1000n >= exactThousandfold && price * 1000n < exactThousandfold + 1000n).toBe(true)
      }),
    )
  })

  test('the price of a part is never more than that of the whole', () => {
    fc.assert(
      fc.property(nano, fc.nat(100_000), fc.nat(100_000), (per1k, part, rest) => {
        const price = printCredit(per1k)
        expect(priceOfCharacters(price, part)).toBeLessThanOrEqual(priceOfCharacters(price, part + rest))
      }),
    )
  })
})
