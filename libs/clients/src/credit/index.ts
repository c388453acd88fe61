export {
  type CountedReservations,
  type CounterReading,
  type CreditCounter,
  createCreditCounter,
} from './counter/credit-counter.js'
export { parseCredit, priceOfCharacters, printCredit } from './credit-amount.js'
export { maxLeasedNano, maxReservedNano } from './credit-limits.js'
export {
  type CreditReservation,
  type CreditReserver,
  type CreditReserverOptions,
  createCreditReserver,
  type ReserveRequest,
} from './credit-reserver.js'
