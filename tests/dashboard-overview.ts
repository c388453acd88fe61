import { sessions } from '@parlance/service-sessions'
import { tokens } from '@parlance/service-tokens'
import type { Page } from 'playwright-core'
import type { DashboardScene } from './dashboard-scene.js'
import { allFaultsOf } from './page-faults.js'

/** The page with the figures of a workspace. */
export const testOverviewPage = (scene: () => DashboardScene): void => {
  /** Records a conversation that has ended, with a turn for each latency. */
  const record = async (workspaceId: string, daysAgo: number, endReason: string, latencies: readonly number[]) => {
    const database = await scene().platform.openDatabase(sessions.databases![0]!)
    await database.inWorkspace(workspaceId, (transaction) =>
      transaction.query(
        `with session as (
           insert into sessions
             (workspace_id, id, agent_id, publication_id, publication_version, instance_id, status, transport, input_mode,
              created_at, ended_at, end_reason, metadata, metadata_bytes)
           values ($1, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 1, '', 'ended', 'websocket', 'open_mic',
             now() - $2 * interval '1 day', now(), $3, '{}', 2)
           returning id)
         insert into turns (workspace_id, session_id, position, voice_to_voice_ms)
         select $1, id, position, latency from session, unnest($4::real[]) with ordinality as l (latency, position)`,
        [workspaceId, daysAgo, endReason, latencies],
      ),
    )
    await database.close()
  }

  /** Records usage of one and a half credits. */
  const use = async (workspaceId: string) => {
    const database = await scene().platform.openDatabase(tokens.databases!.find(({ schema }) => schema === 'credit')!)
    await database.inWorkspace(workspaceId, async (transaction) => {
      const values = [workspaceId]
      await transaction.query(`insert into leases (workspace_id, id, state) values ($1, $1, 'closed')`, values)
      await transaction.query(
        `insert into holds
           (workspace_id, id, lease_id, amount, resolution, paid_by_lease, paid_late, uncovered, kind, key_id, agent_id,
            tts_characters, session_seconds, stt_seconds, llm_input_tokens, llm_output_tokens, resolved_at)
         values ($1, gen_random_uuid(), $1, 2000000000, 'settled', 1500000000, 0, 0, 'session', gen_random_uuid(),
           gen_random_uuid(), 10, 1, 1, 1, 1, now())`,
        values,
      )
    })
    await database.close()
  }

  const figure = async (page: Page, name: string) => {
    const section = page.getByRole('region', { name, exact: true })
    return [await section.locator('p').first().textContent(), await section.locator('p').nth(1).textContent()]
  }

  test('the overview says that there are no conversations, then shows their number, success and latency, and the credit', async () => {
    const { platform, url } = scene()
    const email = 'overview@example.com'
    const { id } = await platform.auth.createWorkspace({ name: 'Counted', capabilities: ['tts', 'agents'] })
    await platform.credit.grant({ workspace_id: id, amount: '100', reference: 'test' })
    await platform.people.addPerson({ email, name: 'Counter', workspace_id: id, role: 'member' })
    const { path } = await platform.people.createAccountLink({ email, kind: 'sign_in' })
    const page = await scene().open()
    await page.goto(`${url}${path}`)
    await page.getByRole('heading', { name: 'No conversations in the last 7 days' }).waitFor()
    await page.getByRole('link', { name: 'Talk with an Agent' }).waitFor()
    expect((await figure(page, 'Credit used'))[0]).toBe('0.00')
    expect(await page.getByRole('region', { name: 'Success' }).count()).toBe(0)
    expect(await allFaultsOf(page)).toEqual([])

    await record(id, 0, 'user_disconnected', [400, 600])
    await record(id, 0, 'agent_ended', [])
    await record(id, 0, 'llm_error', [1_200])
    await record(id, 20, 'user_disconnected', [])
    await use(id)
    await page.reload()
    await page.getByRole('region', { name: 'Success' }).waitFor()
    expect((await figure(page, 'Conversations'))[0]).toBe('3')
    expect(await figure(page, 'Success')).toEqual(['67 %', expect.stringContaining('2 of 3 ended')])
    expect(await figure(page, 'Latency')).toEqual(['600 ms', expect.stringContaining('95 % within 1.2 s')])
    expect((await figure(page, 'Credit used'))[0]).toBe('1.50')
    await page.getByText('Numbers by day').click()
    const rows = page.getByRole('table', { name: 'Numbers by day' }).getByRole('row')
    expect(await rows.nth(1).textContent()).toContain('32 of 3 succeeded600 ms1.50')

    await page.getByText('30 days').click()
    await page.getByText('3 of 4 ended').waitFor()
    expect((await figure(page, 'Conversations'))[0]).toBe('4')
    expect(await rows.count()).toBe(3)
  })
}
