import { createApi, expectError } from './api.js'
import { type DashboardScene, emailOf } from './dashboard-scene.js'
import { eventually } from './eventually.js'
import { allFaultsOf } from './page-faults.js'
import { phone } from './page-reach.js'
import { publishAgent } from './publish-agent.js'

/** The pages about the workspace and the installation: settings, and what operators do. */
export const testOperationPages = (scene: () => DashboardScene): void => {
  test('an Admin renames the workspace, a Member reads it with its limits and cannot', async () => {
    const { platform, workspaceId } = scene()
    const limits = { max_concurrent_sessions: 7, max_concurrent_streams: 0 }
    const before = await platform.auth.updateWorkspace({ workspace_id: workspaceId, ...limits })
    const page = await scene().openAs('admin', '/settings')
    await page.getByLabel('Name', { exact: true }).fill('Acme of the north')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    await page.getByRole('button', { name: 'Workspace: Acme of the north' }).waitFor()
    await page.getByRole('link', { name: 'Audit log' }).click()
    await page.getByRole('row', { name: /Renamed the workspace.*Acme of the north.*The admin/ }).waitFor()

    const other = await scene().openAs('member', '/settings')
    const limitsShown = other.getByRole('region', { name: 'Capabilities and limits' })
    await limitsShown.getByText('Conversations at once').waitFor()
    const shown = ['Agents, Speech recognition, Text to speech', '7', 'No limit', expect.any(String)]
    expect(await limitsShown.getByRole('definition').allTextContents()).toEqual(shown)
    await limitsShown.getByText('The operator of this installation sets them.').waitFor()
    expect(await other.getByLabel('Name', { exact: true }).count()).toBe(0)
    const services = await other.getByRole('list', { name: 'Services' }).getByRole('listitem').allTextContents()
    expect(services).toEqual(['agents', 'auth', 'catalog', 'end-users', 'sessions', 'tokens', 'webhooks'])
    await other
      .getByRole('table', { name: 'Speech engines' })
      .getByRole('row', { name: /espeak-ng/ })
      .waitFor()
    await platform.auth.updateWorkspace({ workspace_id: workspaceId, name: before.name })
  })

  test('an Admin filters the audit log by action and by who acted, and the address keeps the filter', async () => {
    const { platform, workspaceId, url } = scene()
    await platform.auth.createKey({ workspace_id: workspaceId, label: 'Of the operator' })
    const { path: link } = await platform.people.createAccountLink({ email: emailOf('admin'), kind: 'sign_in' })
    await (await scene().open()).request.get(`${url}${link}`)
    const page = await scene().openAs('admin', '/audit-log?action=unknown&actor=nobody')
    const table = page.getByRole('table', { name: 'Audit log' })
    const created = table.getByRole('row', { name: /Created an API key.*Of the operator/ })
    const signedIn = table.getByRole('row', { name: /Signed in.*The admin/ }).first()
    await Promise.all([created.waitFor(), signedIn.waitFor()])
    const choose = async (field: string, option: string) => {
      await page.getByRole('combobox', { name: field }).click()
      await page.getByRole('option', { name: option, exact: true }).click()
    }
    await choose('Action', 'Created an API key')
    await signedIn.waitFor({ state: 'detached' })
    await created.waitFor()
    await choose('Who', 'The admin')
    await created.waitFor({ state: 'detached' })
    await choose('Action', 'Signed in')
    await signedIn.waitFor()
    expect(await allFaultsOf(page)).toEqual([])
    await page.reload()
    await signedIn.waitFor()
    const rows = await table.getByRole('row').allTextContents()
    expect(rows.slice(1).filter((row) => !/Signed in.*The admin/.test(row))).toEqual([])
    await page.setViewportSize(phone)
    const areWhole = await page.evaluate<boolean>(
      `[...document.querySelectorAll('main tbody tr')].every((row) => row.scrollHeight <= row.clientHeight)`,
    )
    expect(areWhole).toBe(true)
    await page.setViewportSize({ width: 1366, height: 650 })
    await choose('Action', 'Deleted a webhook')
    await page.getByRole('button', { name: 'Show all' }).click()
    await created.waitFor()
  })

  test('the check of an Agent whose voice does not speak the language of its users names both languages, and leads an operator to the models', async () => {
    const { platform, workspaceId, url } = scene()
    const { key } = await platform.auth.createKey({ workspace_id: workspaceId, label: 'Languages' })
    const api = createApi(url, `Bearer ${key}`)
    const voice = await api.voice()
    const agentId = await publishAgent(api, { voice, stt_config: { language: 'cy' } })
    const page = await scene().openAs('member', `/agents/${agentId}`)
    const warning = page.getByRole('main').getByRole('status').filter({ hasText: 'understands Welsh' })
    await warning.getByText('the operator of this installation can install one').waitFor()
    expect(await warning.textContent()).toMatch(/its voice .+ speaks .*English.*Choose a voice that speaks Welsh\./)
    expect(await warning.textContent()).not.toContain('/v1/')
    await platform.people.setOperator({ email: emailOf('member'), is_operator: true })
    await page.reload()
    await warning.getByRole('link', { name: 'Models' }).click()
    await page.getByRole('heading', { name: 'Models', exact: true }).waitFor()
    await platform.people.setOperator({ email: emailOf('member'), is_operator: false })
  })

  test('an operator finds a workspace, grants it credit once by a form that is sent twice, and suspends and resumes it', async () => {
    const { platform, url } = scene()
    const { id, name } = await platform.auth.createWorkspace({ name: 'North 100%', capabilities: ['tts'] })
    const page = await scene().openAs('member', '/voices')
    expect(await page.getByRole('link', { name: 'Workspaces' }).count()).toBe(0)
    await platform.people.setOperator({ email: emailOf('member'), is_operator: true })
    await page.reload()
    await page.getByRole('link', { name: 'Workspaces' }).click()
    await page.getByRole('row', { name: /Acme/ }).waitFor()
    await page.getByRole('searchbox', { name: 'Search for workspaces' }).fill('100%')
    await page.getByRole('row', { name: /Acme/ }).waitFor({ state: 'detached' })
    const row = page.getByRole('row', { name: /North 100%/ })
    const choose = async (item: string) => {
      await row.getByRole('button', { name: `Change ${name}` }).click()
      await page.getByRole('menuitem', { name: item }).click()
    }

    await choose('Grant credit')
    await page.getByLabel('Amount').fill('12.400000001')
    await page.getByLabel('Reason').fill('Invoice 17')
    const sent: string[] = []
    await page.route('**/credit-grants', async (route) => {
      sent.push(route.request().postData()!)
      // The first response is lost, and the person presses the button again.
      if (sent.length === 1) {
        await route.fetch()
        await route.abort()
      } else await route.continue()
    })
    await page.getByRole('button', { name: 'Grant' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByRole('button', { name: 'Grant' }).click()
    await row.getByText('12.40', { exact: true }).waitFor()
    expect([sent.length, new Set(sent).size]).toEqual([2, 1])
    expect(await platform.credit.getBalance({ workspace_id: id })).toMatchObject({ balance: '12.400000001' })
    const ofWorkspace = { workspace_id: id, action: 'credit.granted' } as const
    const granted = await eventually(async () => {
      const { entries } = await platform.audit.listEntries(ofWorkspace)
      return entries.length > 0 ? entries : undefined
    })
    expect(granted).toMatchObject([
      { actor: { name: 'The member' }, details: { amount: '12.400000001', reason: 'Invoice 17' } },
    ])

    await choose('Change the limits')
    await page.getByLabel('Conversations at once').fill('3')
    await page.getByRole('button', { name: 'Save' }).click()
    await row.getByText('Conversations: 3').waitFor()
    const { key } = await platform.auth.createKey({ workspace_id: id, label: 'test' })
    const api = createApi(url, `Bearer ${key}`)
    expectError(await api.get('/v1/agents'), 403, 'capability_disabled')
    await choose('Change the capabilities')
    const dialog = page.getByRole('dialog')
    expect(await dialog.getByRole('checkbox', { name: 'Text to speech' }).isChecked()).toBe(true)
    await dialog.getByRole('checkbox', { name: 'Agents' }).check()
    await dialog.getByRole('checkbox', { name: 'Text to speech' }).uncheck()
    expect(await allFaultsOf(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await row.getByText('Agents', { exact: true }).waitFor()
    expect((await api.get('/v1/agents')).status).toBe(200)
    expectError(await api.post('/v1/tts', { text: '', voice_id: '' }), 403, 'capability_disabled')
    const { entries } = await platform.audit.listEntries({
      workspace_id: id,
      action: 'workspace.capabilities_changed',
    })
    expect(entries).toMatchObject([
      { actor: { name: 'The member' }, details: { capabilities: 'agents', capabilities_before: 'tts' } },
    ])

    await choose('Suspend')
    await page.getByRole('button', { name: 'Suspend it' }).click()
    await row.getByText('Suspended').waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await allFaultsOf(page)).toEqual([])
    await choose('Resume')
    await page.getByRole('button', { name: 'Resume it' }).click()
    await row.getByText('Active').waitFor()
    expect(await platform.auth.getWorkspace({ workspace_id: id })).toMatchObject({ max_concurrent_sessions: 3 })

    await platform.people.setOperator({ email: emailOf('member'), is_operator: false })
    await page.reload()
    await page.getByRole('heading', { name: 'Not for your role' }).waitFor()
  })
}
