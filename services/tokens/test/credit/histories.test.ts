/**
 * A thousand random histories of credit on real servers, with two services and two gateways. CREDIT_HISTORIES sets their number,
 * such as 100,000 after a change of the ledger, and FC_SEED repeats those of a run; their interleaving is not repeated.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '@parlance/store'
import { describeWithPrograms, testSeed } from '@parlance/testing'
import fc from 'fast-check'
import { type Checked, checkLedger, countLeased, countOverdrawn, openLedger } from './check-ledger.js'
import { historyOf, printHistory } from './credit-history.js'
import { type Gateway, type Installation, startInstallation } from './installation.js'
import { type Played, playHistory } from './play-history.js'

const count = Number(process.env.CREDIT_HISTORIES ?? 1_000)
const atOnce = 200
const checkedAtOnce = 1_000

describeWithPrograms(['nats', 'redis', 'postgres'], 'random histories of credit', () => {
  let installation: Installation
  let gateways: [Gateway, Gateway]
  let ledger: Database

  beforeAll(async () => {
    // Blocks are small, so that histories lease more than once. Reservations are long enough not to expire on a busy machine.
    const settings = { CREDIT_HOLD_SECONDS: '10', CREDIT_LEASE_SECONDS: '1', CREDIT_LEASE_BLOCK: '0.00000002' }
    installation = await startInstallation(settings)
    await installation.startProcess()
    await installation.startProcess()
    gateways = [await installation.openGateway(), await installation.openGateway()]
    ledger = await openLedger(installation.postgres.url)
  })
  afterAll(async () => {
    await ledger?.close()
    await installation?.stop()
  })

  test(`${count} of them, many at once, leave the ledger as their model predicts, and it is never below zero`, async () => {
    const seed = testSeed()
    process.stdout.write(`histories of credit: seed ${seed}\n`)
    const histories = fc.sample(historyOf({ minLength: 1, maxLength: 3 }), { seed, numRuns: count })
    const played: Played[] = []
    let begun = 0
    const playSome = async () => {
      while (begun < histories.length) {
        const one = histories[begun++]!
        try {
          played.push(await playHistory(one, { gateways }))
        } catch (error) {
          begun = histories.length
          throw new Error(`${error}\nseed ${seed}\n${printHistory(one)}`, { cause: error })
        }
      }
    }
    let playing = true
    const watch = async () => {
      while (playing) {
        expect(await countOverdrawn(ledger)).toBe(0)
        await delay(250)
      }
    }
    const watching = watch()
    const outcomes = await Promise.allSettled(Array.from({ length: atOnce }, playSome))
    playing = false
    await watching
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
    expect(played).toHaveLength(count)

    // Abandoned reservations expire, and unused credit does not stay leased.
    while ((await countLeased(ledger)) > 0) await delay(50)
    const wrong = new Map<Checked, string[]>()
    for (let at = 0; at < played.length; at += checkedAtOnce) {
      const part = played.slice(at, at + checkedAtOnce)
      for (const [one, problems] of await checkLedger(ledger, part, { gateways })) wrong.set(one, problems)
    }
    const reports = played
      .filter((one) => wrong.has(one))
      .map((one) => [...wrong.get(one)!, printHistory(one.history)].join('\n'))
    if (reports.length > 0)
      throw new Error(`${reports.length} of ${count} are wrong, seed ${seed}:\n${reports.slice(0, 5).join('\n\n')}`)

    let reconciled = 0
    let cursor: string | undefined
    do {
      const page = await gateways[0].credit.reconcile({ limit: 250, ...(cursor && { cursor }) })
      for (const { ledger_difference, counter_difference } of page.workspaces) {
        expect([ledger_difference, counter_difference]).toEqual(['0.00', null])
      }
      reconciled += page.workspaces.length
      cursor = page.next_cursor
    } while (cursor !== undefined)
    expect(reconciled).toBe(count)
  }, 300_000)
})
