import { parseCredit } from './credit-amount.js'

/** The maximum of a lease over its lifetime. In nano it is below 2^52, so that the counter's arithmetic in doubles is exact. */
export const maxLeasedNano = parseCredit('4000000')

/** The maximum of a reservation, and of a request for a lease. */
export const maxReservedNano = parseCredit('1000000')
