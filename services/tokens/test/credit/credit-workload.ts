import { setTimeout as delay } from 'node:timers/promises'
import fc from 'fast-check'
import { type History, historyOf, printHistory } from './credit-history.js'
import type { Gateway } from './installation.js'
import { type Played, playHistory } from './play-history.js'

const atOnce = 30
const samplesAtOnce = 200

export interface CreditWorkloadOptions {
  readonly seed: number
  readonly gateways: readonly [Gateway, Gateway]
  /** Aborted when the test ends, also when it fails. */
  readonly signal: AbortSignal
}

/** Plays long random histories, many at once, until `end` is called. Meanwhile the test injects faults. */
export const startCreditWorkload = ({ seed, gateways, signal }: CreditWorkloadOptions) => {
  const played: Played[] = []
  let sampled = 0
  let next: History[] = []
  let ending = false
  let failure: unknown

  const sample = () =>
    fc.sample(historyOf({ minLength: 5, maxLength: 25 }), { seed: seed + sampled++, numRuns: samplesAtOnce })
  const playSome = async () => {
    while (!ending && !signal.aborted) {
      if (next.length === 0) next = sample()
      const history = next.pop()!
      try {
        played.push(await playHistory(history, { gateways, faults: true, signal }))
      } catch (error) {
        failure ??= new Error(`${error}\nseed ${seed}\n${printHistory(history)}`, { cause: error })
        ending = true
      }
    }
  }
  const playing = Promise.all(Array.from({ length: atOnce }, playSome))
  const endings = () => gateways.reduce((sum, { outcomes }) => sum + outcomes.size, 0)

  return {
    /** Resolves when this many more reservations have ended. */
    async more(reservations: number): Promise<void> {
      const enough = endings() + reservations
      while (endings() < enough && failure === undefined && !signal.aborted) await delay(5)
      if (failure !== undefined) throw failure
    },
    /** Resolves to all played histories, once the running ones have ended. */
    async end(): Promise<readonly Played[]> {
      ending = true
      await playing
      if (failure !== undefined) throw failure
      return played
    },
  }
}

export type CreditWorkload = ReturnType<typeof startCreditWorkload>
