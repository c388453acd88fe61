import { creditWithout, formatCredit, sumOfCredit } from '../../src/shared/credit-amount.js'

test('amounts are added and subtracted exactly', () => {
  expect(sumOfCredit(['0.1', '0.2', '999999999.000000001'])).toBe('999999999.300000001')
  expect(sumOfCredit([])).toBe('0.000000000')
  expect(creditWithout('0.3', '0.1')).toBe('0.200000000')
  expect(creditWithout('0.1', '0.3')).toBe('-0.200000000')
})

test('an amount has two decimals, and more when it would otherwise be shown as zero', () => {
  const shown = {
    '12.4': '12.40',
    '1234.56789': '1,234.5679',
    '0': '0.00',
    '0.0412': '0.0412',
    '0.00000312': '0.0000031',
  }
  for (const [amount, text] of Object.entries(shown)) expect([amount, formatCredit(amount)]).toEqual([amount, text])
})
