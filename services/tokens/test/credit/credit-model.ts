import type { Reservation } from '@parlance/contracts'

export interface ModelReservation {
  readonly reservation: Reservation
  /** What its end may charge, once somebody ends it. Undefined: it is left to run out. */
  mayCharge?: readonly bigint[]
}

const sum = (amounts: Iterable<bigint>): bigint => [...amounts].reduce((total, amount) => total + amount, 0n)
export const most = (amounts: readonly bigint[]): bigint => amounts.reduce((one, other) => (one > other ? one : other))
export const least = (amounts: readonly bigint[]): bigint => amounts.reduce((one, other) => (one < other ? one : other))

/** What one workspace's credit must add up to, as far as those who use it can know. Throws where that is broken. */
export const createCreditModel = () => {
  const asked = new Map<string, bigint[]>()
  const granted = new Map<string, bigint>()
  const reservations = new Map<string, ModelReservation>()
  let committedNano = 0n

  /** What may have been granted by now. */
  const maxGrantedNano = () => sum([...asked].map(([reference, amounts]) => granted.get(reference) ?? most(amounts)))

  return {
    reservations,
    grantedNano: () => sum(granted.values()),
    maxGrantedNano,
    /** What may have been charged by now. */
    mostSpentNano: () => sum([...reservations.values()].map(({ mayCharge }) => most(mayCharge ?? [0n]))),

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
    /** Somebody was told that the reference was used before, for another amount. */
    conflict(reference: string, amountNano: bigint): void {
      if (asked.get(reference)!.every((other) => other === amountNano) || granted.get(reference) === amountNano) {
        throw new Error(`the grant of ${amountNano} for ${reference} conflicts with nothing`)
      }
    },

    /** Adds what is charged or held for certain from now on, or takes away what is not any more. */
    commit(amountNano: bigint): void {
      committedNano += amountNano
      if (committedNano > maxGrantedNano()) {
        throw new Error(`${committedNano} is charged or held, of ${maxGrantedNano()} granted`)
      }
    },
  }
}

export type CreditModel = ReturnType<typeof createCreditModel>
