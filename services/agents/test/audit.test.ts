import { randomUUID } from 'node:crypto'
import { serve } from '@parlance/bus'
import { type AuditEvent, auditContract } from '@parlance/contracts'
import { describeWithPrograms, fakeHandlers } from '@parlance/testing'
import { type AgentsClient, callsOfOneWorkspace, type Installation, startInstallation } from './installation.js'

describeWithPrograms(['postgres'], 'the audit log', () => {
  let installation: Installation
  let client: AgentsClient
  const { at, create, patch, publish } = callsOfOneWorkspace(() => client)
  const actor = { kind: 'person', id: randomUUID() } as const

  beforeAll(async () => {
    installation = await startInstallation()
    client = installation.client
  })
  afterAll(() => installation.stop())

  /** The service of the audit log. `received` resolves with so many events. */
  const startAudit = async (count: number) => {
    const events: AuditEvent[] = []
    let onAll = (_events: AuditEvent[]) => {}
    const received = new Promise<AuditEvent[]>((resolve) => {
      onAll = resolve
    })
    const served = await serve(
      installation.bus,
      auditContract,
      fakeHandlers(auditContract, {
        recordEvents(request) {
          events.push(...request.events.map(({ event }) => event))
          if (events.length >= count) onAll(events)
          return {}
        },
      }),
      { instanceId: randomUUID() },
    )
    return { received, stop: () => served.stop() }
  }

  test('receives the deletion of an Agent with its actor, once', async () => {
    const agent = await create()
    const address = at(agent)
    await expect(client.deleteAgent({ ...address, expected_version: 7, actor })).rejects.toMatchObject({
      code: 'revision_conflict',
    })
    await client.deleteAgent({ ...address, actor })
    await expect(client.deleteAgent({ ...address, actor })).rejects.toMatchObject({ code: 'agent_not_found' })
    const audit = await startAudit(1)
    const events = await audit.received
    await audit.stop()
    expect(events).toEqual([{ action: 'agent.deleted', actor, details: { agent_id: agent.id, slug: agent.slug } }])
  })

  test('receives each publication and each rollback with its actor, also those made while it was down', async () => {
    const agent = await create()
    await publish(agent, { actor })
    await publish(agent, { actor })
    const edited = await patch(agent, { description: 'second' })
    await publish(agent, { actor: { kind: 'api_key', id: actor.id } })
    await publish(agent, { actor, revision_id: agent.draft_revision.id })
    const audit = await startAudit(3)
    const events = await audit.received
    await audit.stop()
    const about = { agent_id: agent.id, slug: agent.slug }
    const second = edited.draft_revision.version
    expect(events).toEqual([
      { action: 'agent.published', actor, details: { ...about, publication: 1, revision: 1 } },
      {
        action: 'agent.published',
        actor: { kind: 'api_key', id: actor.id },
        details: { ...about, publication: 2, revision: second },
      },
      { action: 'agent.rolled_back', actor, details: { ...about, publication: 3, revision: 1 } },
    ])
  })

  test('is accompanied by an event for webhooks for each publication that changed the active configuration', async () => {
    const agent = await create()
    const { publication } = await publish(agent, { actor })
    await publish(agent, { actor })
    const rows = await installation.database.acrossWorkspaces((transaction) =>
      transaction.query<{ payload: unknown }>(
        `select payload from outbox where destination = 'webhooks' and payload -> 'data' ->> 'agent_id' = $1`,
        [agent.id],
      ),
    )
    const { id, version, revision } = publication
    const data = { agent_id: agent.id, slug: agent.slug, publication: { id, version }, revision }
    expect(rows).toEqual([{ payload: { type: 'agent.published', data } }])
  })

  test('has no publication that failed', async () => {
    const agent = await create({ voice_id: 'b'.repeat(32) })
    await expect(publish(agent, { actor })).rejects.toMatchObject({ code: 'agent_not_publishable' })
    const rows = await installation.database.acrossWorkspaces((transaction) =>
      transaction.query(`select from outbox where payload::text like '%' || $1 || '%'`, [agent.id]),
    )
    expect(rows).toEqual([])
  })
})
