/** Amounts of credit are decimal texts. They are added and shown without floating point. */
const decimals = 9

/** Two decimals, and as many more as a small amount needs. */
const format = new Intl.NumberFormat('en', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 4,
  maximumSignificantDigits: 2,
  roundingPriority: 'morePrecision',
})

const parse = (amount: string): bigint => {
  const [whole = '', fraction = ''] = amount.split('.')
  return BigInt(`${whole}${fraction.padEnd(decimals, '0')}`)
}

const print = (amount: bigint): string => {
  const digits = String(amount < 0n ? -amount : amount).padStart(decimals + 1, '0')
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

export const sumOfCredit = (amounts: readonly string[]): string =>
  print(amounts.reduce((sum, amount) => sum + parse(amount), 0n))

export const creditWithout = (amount: string, part: string): string => print(parse(amount) - parse(part))

/** Such as "1,234.50", or "0.0000031". */
export const formatCredit = (amount: string): string => format.format(amount as `${number}`)
