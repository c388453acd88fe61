import type { Reservation } from '@parlance/contracts'

export interface ModelReservation {
  readonly reservation: Reservation
  /** The possible charges of a reservation that is settled or released. Undefined for one that is left to expire. */
  mayCharge?: readonly bigint[]
}

const sum = (amounts: Iterable<bigint>): bigint => [...amounts].reduce((total, amount) => total + amount, 0n)
export const greatest = (amounts: readonly bigint[]): bigint =>
  amounts.reduce((one, other) => (one > other ? one : other))
export const least = (amounts: readonly bigint[]): bigint => amounts.reduce((one, other) => (one < other ? one : other))

/** A model of one workspace's credit, from what its clients can observe. Throws when an observation contradicts the model. */
export const createCreditModel = () => {
  const asked = new Map<string, bigint[]>()
  const granted = new Map<string, bigint>()
  const reservations = new Map<string, ModelReservation>()
  let committedNano = 0n

  /** The greatest amount that may have been granted by now. */
  const maxGrantedNano = () =>
    sum([...asked].map(([reference, amounts]) => granted.get(reference) ?? greatest(amounts)))

  return {
    reservations,
    grantedNano: () => sum(granted.values()),
    maxGrantedNano,
    /** The greatest amount that may have been charged by now. */
    maxSpentNano: () => sum([...reservations.values()].map(({ mayCharge }) => greatest(mayCharge ?? [0n]))),

    askGrant(reference: string, amountNano: bigint): void {
      asked.set(reference, [...(asked.get(reference) ?? []), amountNano])
    },
    grant(reference: string, amountNano: bigint): void {
      const before = granted.get(reference)
      if (before !== undefined && before !== amountNano) {
        throw new Error(`for ${reference} both ${before} and ${amountNano} were granted`)
      }
      granted.set(reference, amountNano)
    },
    /** Records the answer that the reference was used before with another amount. */
    conflict(reference: string, amountNano: bigint): void {
      if (asked.get(reference)!.every((other) => other === amountNano) || granted.get(reference) === amountNano) {
        throw new Error(`the grant of ${amountNano} for ${reference} conflicts with nothing`)
      }
    },

    /** Adds an amount that is certainly charged or reserved from now on; a negative amount is not any more. */
    commit(amountNano: bigint): void {
      committedNano += amountNano
      if (committedNano > maxGrantedNano()) {
        throw new Error(`${committedNano} is charged or reserved, of ${maxGrantedNano()} granted`)
      }
    },
  }
}

export type CreditModel = ReturnType<typeof createCreditModel>
