/** Amounts are whole billionths of a credit ("nano") in code, and decimal text in messages. */

const fractionDigits = 9
const nanoPerCredit = 10n ** BigInt(fractionDigits)
const decimal = /^(-?)(\d+)(?:\.(\d{1,9}))?$/

/** Decimal text in nano. Throws `RangeError` where the text is not a decimal or is finer than a billionth. */
export const parseCredit = (text: string): bigint => {
  const [, sign, whole = '', fraction = ''] = decimal.exec(text) ?? []
  if (sign === undefined)
    throw new RangeError('an amount of credit must be a decimal with at most nine fraction digits')
  const nano = BigInt(whole + fraction.padEnd(fractionDigits, '0'))
  return sign === '-' ? -nano : nano
}

/** Decimal text with at least two fraction digits and no other trailing zeros: `"12.40"`, `"0.0412"`. */
export const printCredit = (nano: bigint): string => {
  const size = nano < 0n ? -nano : nano
  const fraction = (size % nanoPerCredit).toString().padStart(fractionDigits, '0').replace(/0+$/, '').padEnd(2, '0')
  return `${nano < 0n ? '-' : ''}${size / nanoPerCredit}.${fraction}`
}

/** The price of `characters` code points in nano, rounded up. */
export const priceOfCharacters = (creditPer1k: string, characters: number): bigint =>
  (parseCredit(creditPer1k) * BigInt(characters) + 999n) / 1000n

/** Nano in thousandths of a credit, for metrics: a number, which is inexact beyond nine million credits. */
export const milliCredits = (nano: bigint): number => Number(nano) / 1e6

/** The maximum of a lease over its lifetime. In nano it is below 2^52, so that the counter's arithmetic in doubles is exact. */
export const maxLeasedNano = parseCredit('4000000')

/** The maximum of a reservation, and of a request for a lease. */
export const maxReservedNano = parseCredit('1000000')
