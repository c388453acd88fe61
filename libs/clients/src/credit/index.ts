export {
  type CountedReservations,
  type CounterReading,
  type CreditCounter,
  createCreditCounter,
} from './counter/credit-counter.js'
export { maxLeasedNano, maxReservedNano, parseCredit, priceOfCharacters, printCredit } from './credit-amount.js'
export {
  type CreditReservation,
  type CreditReserver,
  createCreditReserver,
  type ReserveRequest,
} from './credit-reserver.js'
