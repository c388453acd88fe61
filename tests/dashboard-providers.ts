import { type ChatCompletionsStandIn, startChatCompletionsStandIn } from '@parlance/testing/stand-ins'
import type { Page } from 'playwright-core'
import { createApi } from './api.js'
import type { DashboardScene } from './dashboard-scene.js'
import { eventually } from './eventually.js'
import { allFaultsOf } from './page-faults.js'
import { publishAgent } from './publish-agent.js'
import { recordConversation } from './recorded-conversation.js'

const reply = 'Two rooms are free.'
const key = 'a-key-of-ours'

/** The page of model providers, and conversations by a provider of the workspace. */
export const testProvidersPage = (scene: () => DashboardScene): void => {
  let model: ChatCompletionsStandIn
  beforeEach(async () => {
    model = await startChatCompletionsStandIn({ text: reply })
  })
  afterEach(() => model.close())

  const openApi = async (workspaceId: string) => {
    const { platform, url } = scene()
    const created = await platform.auth.createKey({ workspace_id: workspaceId, label: 'test' })
    return createApi(url, `Bearer ${created.key}`)
  }
  /** Adds the server of the stand-in as `name`, and resolves to its id. */
  const addProvider = async (page: Page, name: string): Promise<string> => {
    await page.goto(`${scene().url}/model-providers`)
    await page.getByRole('button', { name: 'Add a provider' }).click()
    await page.getByRole('combobox', { name: 'Kind' }).click()
    await page.getByRole('option', { name: 'OpenAI-compatible server' }).click()
    await page.getByLabel('Name').fill(name)
    await page.getByLabel('Address').fill(model.baseUrl)
    await page.getByLabel('Key', { exact: true }).fill(key)
    expect(await allFaultsOf(page)).toEqual([])
    const added = page.waitForResponse('**/dashboard/api/providers')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    return (await (await added).json()).id
  }
  const deleteProvider = async (page: Page, name: string) => {
    await page.goto(`${scene().url}/model-providers`)
    await page.getByRole('button', { name: `Delete ${name}` }).click()
    await page.getByRole('button', { name: 'Delete the provider' }).click()
    await page.getByRole('button', { name: `Delete ${name}` }).waitFor({ state: 'detached' })
  }
  const lastRequest = () => {
    const { headers, body } = model.requests.at(-1)!
    return [headers.authorization, body.model]
  }

  test('a model provider is added with its key, is tested, and is deleted, which the audit log has', async () => {
    const page = await scene().openAs('admin')
    await addProvider(page, 'Ours')
    await page.getByRole('button', { name: 'Test Ours' }).click()
    await page.getByRole('combobox', { name: 'Model' }).fill('small')
    await page.getByRole('button', { name: 'Send a request' }).click()
    await page.getByText(/^It answered after /).waitFor()
    expect(lastRequest()).toEqual([`Bearer ${key}`, 'small'])
    model.script({ text: '', status: 401 })
    await page.getByRole('button', { name: 'Send a request' }).click()
    await page.getByText(/status 401/).waitFor()
    expect(await allFaultsOf(page)).toEqual([])
    await page.getByRole('dialog').getByText('Close', { exact: true }).click()
    expect(await page.content()).not.toContain(key)

    await deleteProvider(page, 'Ours')
    await page.getByRole('link', { name: 'Audit log' }).click()
    await page.getByRole('row', { name: /Deleted a model provider.*Ours.*The admin/ }).waitFor()
    await page.getByRole('row', { name: /Added a model provider.*Ours.*The admin/ }).waitFor()
  })

  test('a person chooses the provider for an Agent, whose draft and publication use it, and no other workspace can', async () => {
    const { platform, url, workspaceId } = scene()
    const page = await scene().openAs('admin')
    const id = await addProvider(page, 'House models')
    const api = await openApi(workspaceId)
    await page.goto(`${url}/agents/new`)
    await page.getByRole('button', { name: /^Front desk/ }).click()
    await page.getByRole('tab', { name: 'Model' }).click()
    const chosen = page.getByRole('combobox', { name: 'Provider' })
    await eventually(async () => (await chosen.inputValue()) === 'House models' || undefined)
    expect(await page.getByRole('combobox', { name: 'Model', exact: true }).inputValue()).not.toBe('')
    const agentId = await publishAgent(api, { voice: await api.voice() })

    await page.goto(`${url}/agents/${agentId}?section=model`)
    await page.getByRole('combobox', { name: 'Provider' }).click()
    await page.getByRole('option', { name: 'House models' }).click()
    await page.getByText(`OpenAI-compatible server of this workspace, at ${model.baseUrl}.`).waitFor()
    await page.getByRole('combobox', { name: 'Model', exact: true }).fill('of-the-draft')
    await page.getByRole('button', { name: 'Talk with the draft' }).click()
    await page.getByLabel('Input').selectOption('text')
    await page.getByRole('button', { name: 'Start' }).click()
    await page.getByLabel('Message').fill('Is a room free?')
    await page.keyboard.press('Enter')
    await page.getByRole('log', { name: 'Transcript' }).getByText(reply).waitFor()
    expect(lastRequest()).toEqual([`Bearer ${key}`, 'of-the-draft'])

    const fields = { llm_provider: id, llm_model: 'of-the-publication' }
    const asked = { agent: 'Reception', text: 'Is a room free?', label: 'Reception', fields }
    expect((await recordConversation(platform, workspaceId, asked)).reply).toBe(reply)
    expect(lastRequest()).toEqual([`Bearer ${key}`, 'of-the-publication'])

    const other = await platform.auth.createWorkspace({ name: 'Other', capabilities: ['tts', 'agents'] })
    const elsewhere = await openApi(other.id)
    const theirs = await publishAgent(elsewhere, { voice: await elsewhere.voice() })
    expect((await elsewhere.patch(`/v1/agents/${theirs}`, { llm_provider: id })).status).toBe(200)
    expect((await elsewhere.post(`/v1/agents/${theirs}/publish`)).body.code).toBe('agent_not_publishable')

    await deleteProvider(page, 'House models')
    await page.goto(`${url}/agents/${agentId}?section=model`)
    await page.getByText('There is no such model provider in the workspace. Choose another one.').first().waitFor()
    const provider = page.getByRole('combobox', { name: 'Provider' })
    await eventually(async () => (await provider.inputValue()) === 'A provider that was deleted' || undefined)
  })
}
