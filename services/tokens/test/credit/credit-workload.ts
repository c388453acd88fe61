import { setTimeout as delay } from 'node:timers/promises'
import fc from 'fast-check'
import { type History, historyOf, printHistory } from './credit-history.js'
import type { Gateway } from './installation.js'
import { type Played, playHistory } from './play-history.js'

const atOnce = 30
const drawnAtOnce = 200

export interface CreditWorkloadOptions {
  readonly seed: number
  readonly gateways: readonly [Gateway, Gateway]
  /** Of a test that has come to an end, be it too early. */
  readonly signal: AbortSignal
}

/** Plays long random histories, many at once, until it is ended, while whoever started it breaks things. */
export const startCreditWorkload = ({ seed, gateways, signal }: CreditWorkloadOptions) => {
  const played: Played[] = []
  let drawn = 0
  let next: History[] = []
  let ending = false
  let failure: unknown

  const draw = () =>
    fc.sample(historyOf({ minLength: 5, maxLength: 25 }), { seed: seed + drawn++, numRuns: drawnAtOnce })
  const playSome = async () => {
    while (!ending && !signal.aborted) {
      if (next.length === 0) next = draw()
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
    /** Resolves when so many more holds have ended. */
    async more(reservations: number): Promise<void> {
      const enough = endings() + reservations
      while (endings() < enough && failure === undefined && !signal.aborted) await delay(5)
      if (failure !== undefined) throw failure
    },
    /** Resolves, once those that run are over, to all that were played. */
    async end(): Promise<readonly Played[]> {
      ending = true
      await playing
      if (failure !== undefined) throw failure
      return played
    },
  }
}

export type CreditWorkload = ReturnType<typeof startCreditWorkload>
