import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createClient, createInProcessBus, serve } from '@parlance/bus'
import { startAuditRelay } from '@parlance/clients/outbox'
import { type AuditEvent, auditContract } from '@parlance/contracts'
import { tokens } from '@parlance/service-tokens'
import { openPostgresDatabase } from '@parlance/store'
import { createLogger } from '@parlance/telemetry'
import { describeWithPrograms, fakeHandlers, startPostgresServer, type TestServer } from '@parlance/testing'
import { grantCredit } from '../../src/credit/grant-credit.js'

const creditSchema = tokens.databases!.find(({ schema }) => schema === 'credit')!

describeWithPrograms(['postgres'], 'the audit log', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startPostgresServer()
  })
  afterAll(() => server?.stop())

  test('gets each grant once: neither one that was granted before, nor one that is refused', async () => {
    const database = await openPostgresDatabase({ url: server.url, ...creditSchema })
    const bus = createInProcessBus()
    const workspaceId = randomUUID()
    const grant = (amountNano: bigint, reference: string, more: { reason?: string; personId?: string } = {}) =>
      grantCredit(database, { workspaceId, amountNano, reference, ...more }, 0n)
    const personId = randomUUID()
    await grant(12_400_000_000n, 'invoice-1')
    expect(await grant(12_400_000_000n, 'invoice-1')).toBe(true)
    await expect(grant(1n, 'invoice-1')).rejects.toMatchObject({ code: 'idempotency_conflict' })
    for (const _ of [1, 2]) await grant(2n, 'a-form-sent-twice', { reason: 'Goodwill', personId })
    await grant(1n, 'invoice-2')

    const events: AuditEvent[] = []
    let onLast = () => {}
    const last = new Promise<void>((resolve) => {
      onLast = resolve
    })
    const served = await serve(
      bus,
      auditContract,
      fakeHandlers(auditContract, {
        recordEvents(request) {
          events.push(...request.events.map(({ event }) => event))
          if (events.at(-1)?.details.reference === 'invoice-2') onLast()
          return {}
        },
      }),
      { instanceId: 'audit' },
    )
    const relay = startAuditRelay({
      ...{ database, audit: createClient(bus, auditContract) },
      logger: createLogger({ name: 'credit', level: 'silent' }),
    })
    await last
    await relay.stop()
    await served.stop()
    await bus.close()
    await database.close()
    const granted = { action: 'credit.granted', actor: { kind: 'operator', id: null } }
    expect(events).toEqual([
      { ...granted, details: { amount: '12.40', reference: 'invoice-1' } },
      { ...granted, actor: { kind: 'person', id: personId }, details: { amount: '0.000000002', reason: 'Goodwill' } },
      { ...granted, details: { amount: '0.000000001', reference: 'invoice-2' } },
    ])
  })
})

test('the outbox of each schema is the same', async () => {
  const read = (path: string) => readFile(new URL(path, import.meta.url), 'utf8')
  expect(await read('../../migrations/credit/002-outbox.sql')).toBe(
    await read('../../../agents/migrations/002-outbox.sql'),
  )
})
