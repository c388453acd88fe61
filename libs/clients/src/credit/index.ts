export {
  type CountedHolds,
  type CounterReading,
  type CreditCounter,
  createCreditCounter,
} from './counter/credit-counter.js'
export { parseCredit, priceOfCharacters, printCredit } from './credit-amount.js'
export { mostLeasedNano, mostReservedNano } from './credit-limits.js'
export {
  type CreditHold,
  type CreditReservation,
  type CreditReserver,
  type CreditReserverOptions,
  createCreditReserver,
} from './credit-reserver.js'
