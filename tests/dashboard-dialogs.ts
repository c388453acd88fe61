import { startChatCompletionsStandIn } from '@parlance/testing/stand-ins'
import type { Page } from 'playwright-core'
import { createApi } from './api.js'
import type { DashboardScene } from './dashboard-scene.js'
import { type DialogToOpen, dialogFaultsOf } from './dialog-reach.js'
import { eventually } from './eventually.js'
import { publishAgent } from './publish-agent.js'

interface PageWithDialogs {
  readonly path: string
  /** Brings the loaded page to where the dialogs are. */
  readonly arrange?: (page: Page) => Promise<void>
  readonly dialogs: readonly DialogToOpen[]
}

/** The dialogs of the dashboard, by the page that has them. Those of a conversation are where one is recorded. */
export const testDialogs = (scene: () => DashboardScene): void => {
  /** An Agent with two publications and a draft beyond them, a model provider, and a webhook with a delivery that fails. */
  const prepare = async () => {
    const { platform, url, workspaceId } = scene()
    const { key } = await platform.auth.createKey({ workspace_id: workspaceId, label: 'Of dialogs' })
    const api = createApi(url, `Bearer ${key}`)
    const agentId = await publishAgent(api, { voice: await api.voice(), display_name: 'Of dialogs' })
    await api.patch(`/v1/agents/${agentId}`, { first_message: 'Good morning, this is the second publication.' })
    await api.post(`/v1/agents/${agentId}/publish`)
    await api.patch(`/v1/agents/${agentId}`, { first_message: 'Good evening, this is a draft.' })
    const webhook = { url: 'http://127.0.0.1:9/events', events: ['api_key.revoked'] }
    const { body } = await api.post('/v1/webhooks', webhook)
    const { id: key_id } = await platform.auth.createKey({ workspace_id: workspaceId, label: 'Revoked' })
    await platform.auth.revokeKey({ workspace_id: workspaceId, key_id })
    await eventually(async () => {
      const { body: log } = await api.get(`/v1/webhooks/${body.id}/deliveries`)
      return log.deliveries[0]?.attempts.length > 0 || undefined
    })
    return { agentId, webhookId: body.id as string }
  }

  const inMenuOfAcme = (item: string): DialogToOpen => ({ button: /^Change Acme/, item })

  const pagesWithDialogs = ({ agentId, webhookId }: Awaited<ReturnType<typeof prepare>>): PageWithDialogs[] => [
    {
      path: '/keys',
      dialogs: [
        { button: 'Create a key' },
        { button: 'Create a key', text: 'By keyboard' },
        { button: 'Revoke Of dialogs' },
      ],
    },
    {
      path: '/members',
      dialogs: [
        { button: 'Invite' },
        { button: 'Invite', text: 'by-keyboard@example.com' },
        { button: 'Remove The member' },
      ],
    },
    {
      path: '/model-providers',
      dialogs: [{ button: 'Add a provider' }, { button: 'Test Of dialogs' }, { button: 'Delete Of dialogs' }],
    },
    { path: '/phone-numbers', dialogs: [{ button: 'Add a number' }] },
    { path: '/webhooks', dialogs: [{ button: 'Create a webhook' }] },
    {
      path: `/webhooks/${webhookId}`,
      dialogs: ['Edit', 'Rotate the secret', 'Disable', 'Delete', 'Attempts of api_key.revoked'].map((button) => ({
        button,
      })),
    },
    {
      path: `/agents/${agentId}?section=evaluation`,
      dialogs: [
        { button: 'Add a criterion' },
        { button: 'Add a value' },
        { button: 'Publish' },
        { button: 'More', item: 'Delete the Agent' },
      ],
    },
    {
      path: `/agents/${agentId}`,
      arrange: (page) => page.getByRole('textbox', { name: 'Description' }).fill('Not saved.'),
      dialogs: [{ button: 'History' }],
    },
    { path: `/agents/${agentId}/history`, dialogs: [{ button: 'Roll back to publication 1' }] },
    {
      path: `/agents/${agentId}/history`,
      arrange: (page) => page.getByRole('tab', { name: 'Revisions' }).click(),
      dialogs: [{ button: 'Compare revision 1 with the draft' }, { button: 'Publish revision 1' }],
    },
    {
      path: '/operator/workspaces',
      dialogs: ['Grant credit', 'Change the limits', 'Change the capabilities', 'Suspend'].map(inMenuOfAcme),
    },
  ]

  test('each dialog opens, is filled in and closes with the keyboard alone, and is whole at 200 % and on a phone', async () => {
    const prepared = await prepare()
    const model = await startChatCompletionsStandIn({ text: 'Yes.' })
    const { platform, url, workspaceId } = scene()
    const email = 'keyboard@example.com'
    await platform.people.addPerson({ email, name: 'Keyboard', workspace_id: workspaceId, role: 'owner' })
    await platform.people.setOperator({ email, is_operator: true })
    const { path: link } = await platform.people.createAccountLink({ email, kind: 'sign_in' })
    const page = await scene().open()
    await page.goto(`${url}${link}`)
    await page.waitForSelector('main h1')
    await page.evaluate(`fetch('/dashboard/api/providers', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-parlance-workspace': '${workspaceId}' },
      body: JSON.stringify({ kind: 'openai_compatible', name: 'Of dialogs', url: '${model.baseUrl}', key: 'a-key' }),
    })`)
    const faults = []
    for (const { path, arrange, dialogs } of pagesWithDialogs(prepared)) {
      await page.goto(`${url}${path}`)
      await page.waitForSelector('main h1')
      await page.waitForSelector('[aria-label=Loading]', { state: 'detached' })
      await arrange?.(page)
      for (const dialog of dialogs) faults.push(...(await dialogFaultsOf(page, dialog)))
    }
    await model.close()
    expect(faults).toEqual([])
  }, 300_000)
}
