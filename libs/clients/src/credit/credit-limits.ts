import { parseCredit } from './credit-amount.js'

/** What one lease may give in all: in nano less than half of 2^53, up to which the counter's arithmetic is exact. */
export const mostLeasedNano = parseCredit('4000000')

/** What can be reserved, or asked for, at once. */
export const mostReservedNano = parseCredit('1000000')
