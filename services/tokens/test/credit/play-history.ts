import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type CreditReservation, createCreditCounter, parseCredit, printCredit } from '@parlance/clients/credit'
import { type Reservation, ServiceError, type Usage } from '@parlance/contracts'
import type { Ending, History, Step } from './credit-history.js'
import { type CreditModel, createCreditModel, least, type ModelReservation } from './credit-model.js'
import type { Gateway } from './installation.js'

export interface Played {
  readonly workspaceId: string
  readonly history: History
  readonly model: CreditModel
}

export interface PlayOptions {
  readonly gateways: readonly [Gateway, Gateway]
  /** Whether servers and services fail meanwhile. Credit that was reserved in a lost counter may be reserved again. */
  readonly faults?: boolean
  /** When it is aborted, no call is retried. */
  readonly signal?: AbortSignal
}

type GrantStep = Extract<Step, { do: 'grant' }>
type ReserveStep = Extract<Step, { do: 'reserve' }>
type KnownEnding = Exclude<Ending, { how: 'abandon' | 'settle late' }>

const usage: Usage = { kind: 'tts', key_id: null, agent_id: null, quantities: { tts_characters: 1 } }

/** A round after all others. */
const atTheEnd = Number.POSITIVE_INFINITY

const must = (isTrue: boolean, what: string): void => {
  if (!isTrue) throw new Error(what)
}

/** Plays a history on a workspace of its own. Rejects when an answer contradicts the model. */
export const playHistory = async (
  history: History,
  { gateways, faults = false, signal }: PlayOptions,
): Promise<Played> => {
  const workspaceId = randomUUID()
  const model = createCreditModel()
  const due: { readonly round: number; readonly end: () => Promise<void> }[] = []

  // Calls may time out on a busy machine. Calls that must succeed are retried; reservations that are refused are left out.
  const isTrouble = (error: unknown) =>
    error instanceof ServiceError && (error.code === 'unavailable' || error.code === 'upstream_timeout')
  const commit = (amountNano: bigint) => {
    if (!faults) model.commit(amountNano)
  }
  const persist = async <T>(ask: () => Promise<T>): Promise<T> => {
    for (;;) {
      try {
        return await ask()
      } catch (error) {
        if (!isTrouble(error) || signal?.aborted) throw error
        await delay(20)
      }
    }
  }
  /** Resolves to undefined when the reservation is refused. */
  const orRefused = async <T>(work: Promise<T>): Promise<T | undefined> => {
    try {
      return await work
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'insufficient_credit') return undefined
      if (!isTrouble(error)) throw error
      await delay(20)
      return undefined
    }
  }
  const resolve = async (gateway: Gateway, reservation: Reservation, chargeNano: bigint): Promise<bigint> => {
    const ending = { hold: reservation, charge: printCredit(chargeNano), usage }
    const outcome = await persist(() => gateway.endHold(ending))
    if ('refused' in outcome) throw new Error(outcome.refused)
    return parseCredit(outcome.charged)
  }

  const grant = async (gateway: Gateway, { amountNano, reference }: GrantStep): Promise<void> => {
    model.askGrant(reference, amountNano)
    try {
      const request = { workspace_id: workspaceId, amount: printCredit(amountNano), reference }
      await persist(() => gateway.credit.grant(request))
      model.grant(reference, amountNano)
    } catch (error) {
      if (!(error instanceof ServiceError && error.code === 'idempotency_conflict')) throw error
      model.conflict(reference, amountNano)
    }
  }

  /** Reserves directly at the counter, so that no reserver renews the reservation. */
  const reserveSilently = async ({ credit, ttl }: Gateway, amountNano: bigint): Promise<Reservation> => {
    const [counter, id, amount] = [createCreditCounter(ttl), randomUUID(), printCredit(amountNano)]
    for (;;) {
      const reserved = await counter.reserve(workspaceId, id, amountNano)
      if (typeof reserved === 'object') return { id, workspace_id: workspaceId, lease_id: reserved.leaseId, amount }
      await credit.lease({ workspace_id: workspaceId, amount })
    }
  }

  const ranOut = async ({ ttl }: Gateway, { id, lease_id }: Reservation): Promise<boolean> => {
    const counter = createCreditCounter(ttl)
    const isAmong = async (which: 'all' | 'expired') => {
      const listed = await persist(() => counter.listReservations(workspaceId, lease_id, which))
      return listed?.reservations.some((reservation) => reservation.id === id) ?? false
    }
    return !(await isAmong('all')) || isAmong('expired')
  }

  const leaveAlone = async (gateway: Gateway, { amountNano, ending }: ReserveStep): Promise<void> => {
    const reservation = await orRefused(reserveSilently(gateway, amountNano))
    if (reservation === undefined) return
    const modeled: ModelReservation = { reservation }
    model.reservations.set(reservation.id, modeled)
    commit(amountNano)
    // From now on it may expire.
    commit(-amountNano)
    if (ending.how !== 'settle late') return
    const chargeNano = (amountNano * BigInt(ending.quarters)) / 4n
    const end = async () => {
      while (!(await ranOut(gateway, reservation))) await delay(50)
      modeled.mayCharge = [0n, chargeNano]
      commit(await resolve(gateway, reservation, chargeNano))
    }
    due.push({ round: atTheEnd, end })
  }

  const end = async (reserved: CreditReservation, modeled: ModelReservation, ending: KnownEnding): Promise<void> => {
    const amountNano = parseCredit(reserved.reservation.amount)
    const quarters = ending.how === 'release' ? [0] : ending.how === 'settle' ? [ending.quarters] : ending.quarters
    const charges = quarters.map((count) => (amountNano * BigInt(count)) / 4n)
    const leastNano = least(charges)
    modeled.mayCharge = charges
    commit(leastNano - amountNano)
    if (ending.how === 'release') reserved.release()
    if (ending.how === 'race') {
      const charged = await Promise.all(
        charges.map((charge, index) => resolve(gateways[index]!, reserved.reservation, charge)),
      )
      must(
        charged.every((one) => one === charged[0]),
        `a reservation ended more than once, with charges of ${charged}`,
      )
      commit(charged[0]! - leastNano)
    }
    reserved.settle(charges[0]!, usage)
    reserved.release()
  }

  const reserve = async (gateway: Gateway, step: ReserveStep, round: number): Promise<void> => {
    const { amountNano, ending, rounds } = step
    if (ending.how === 'abandon' || ending.how === 'settle late') return leaveAlone(gateway, step)
    const reserved = await orRefused(gateway.reserver.reserve({ workspaceId, amountNano }))
    if (reserved === undefined) return
    const modeled: ModelReservation = { reservation: reserved.reservation }
    model.reservations.set(reserved.reservation.id, modeled)
    commit(amountNano)
    due.push({ round: round + rounds, end: () => end(reserved, modeled, ending) })
  }

  const look = async ({ credit }: Gateway): Promise<void> => {
    const grantedNano = model.grantedNano()
    const { balance, reserved } = await persist(() => credit.getBalance({ workspace_id: workspaceId }))
    const [balanceNano, reservedNano] = [parseCredit(balance), parseCredit(reserved)]
    must(reservedNano >= 0n && reservedNano <= balanceNano, `${reserved} is reserved of ${balance}`)
    must(balanceNano <= model.maxGrantedNano(), `the balance ${balance} is more than was granted`)
    must(balanceNano >= grantedNano - model.maxSpentNano(), `the balance ${balance} is less than was not spent`)
  }

  const reconcile = async ({ credit }: Gateway): Promise<void> => {
    const { workspaces } = await persist(() => credit.reconcile({ workspace_id: workspaceId }))
    for (const { ledger_difference, counter_difference } of workspaces) {
      must(ledger_difference === '0.00', `the ledger differs by ${ledger_difference}`)
      must(counter_difference === null || counter_difference === '0.00', `the counter differs by ${counter_difference}`)
    }
  }

  const take = (step: Step, round: number): Promise<void> => {
    const gateway = gateways[step.gateway]
    if (step.do === 'grant') return grant(gateway, step)
    if (step.do === 'reserve') return reserve(gateway, step, round)
    return step.do === 'look' ? look(gateway) : reconcile(gateway)
  }
  const endDue = async (now: number): Promise<void> => {
    const ends = due.filter(({ round }) => round <= now)
    due.splice(0, due.length, ...due.filter(({ round }) => round > now))
    await Promise.all(ends.map(({ end }) => end()))
  }

  for (const [round, steps] of history.entries()) {
    await Promise.all([endDue(round - 1), ...steps.map((step) => take(step, round))])
  }
  await endDue(atTheEnd)
  return { workspaceId, history, model }
}
