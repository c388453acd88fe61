import { type OllamaServer, startOllamaServer } from '@parlance/testing/stand-ins'
import { createApi } from './api.js'
import type { DashboardScene } from './dashboard-scene.js'
import { allFaultsOf } from './page-faults.js'
import { publishAgent } from './publish-agent.js'
import { recordConversation } from './recorded-conversation.js'

const judged = {
  ...{ status: 'succeeded', error: null, analyzed_at: '2026-01-31T09:30:00.000Z' },
  criteria: [{ name: 'Named', description: 'Any.', result: 'success', reason: 'It said its name.' }],
  data: [{ name: 'Guests', type: 'integer', description: 'Any.', value: null }],
}

/** What is judged of conversations: set on the page of an Agent, shown on the page of a conversation. */
export const testEvaluationPages = (scene: () => DashboardScene): void => {
  test('a Member sets what is judged, and finds with the conversation why the built-in model could not, or the result', async () => {
    const { platform, workspaceId, url } = scene()
    const page = await scene().openAs('member')
    const save = async () => {
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    const { sessionId } = await recordConversation(platform, workspaceId, {
      ...{ agent: 'Judged desk', text: 'What is your name?', label: 'Judged' },
      async beforeTalk(agentId) {
        await page.goto(`${url}/agents/${agentId}?section=evaluation`)
        await page.getByRole('button', { name: 'Add a criterion' }).click()
        await page.getByRole('textbox', { name: 'Name' }).fill('Named')
        await page.getByRole('textbox', { name: 'Description' }).fill('The Agent said its name.')
        expect(await allFaultsOf(page)).toEqual([])
        await save()
        await page.getByRole('button', { name: 'Add a value' }).click()
        await page.getByRole('textbox', { name: 'Name' }).fill('Guests')
        await page.getByRole('combobox', { name: 'Type' }).click()
        await page.getByRole('option', { name: 'Whole number' }).click()
        await page.getByRole('textbox', { name: 'Description' }).fill('How many come.')
        await save()
        await page.getByRole('button', { name: 'Edit Named' }).click()
        await page.getByRole('textbox', { name: 'Description' }).fill('The Agent said what its name is.')
        await save()
        await page.getByRole('row', { name: /^Guests Whole number/ }).waitFor()
        // Each change sends the whole list: a second one would bring back what the first removes.
        const saves: (() => void)[] = []
        await page.route('**/evaluation', async (route) => {
          if (route.request().method() === 'PUT') await new Promise<void>((resolve) => saves.push(resolve))
          return route.continue()
        })
        await page.getByRole('button', { name: 'Remove Guests' }).click()
        await page.getByRole('button', { name: 'Remove Named', disabled: true }).waitFor()
        await page.getByRole('button', { name: 'Edit Named', disabled: true }).waitFor()
        saves[0]!()
        await page.getByRole('row', { name: /Guests/ }).waitFor({ state: 'detached' })
        expect(saves).toHaveLength(1)
        await page.unroute('**/evaluation')
        await page.reload()
        await page.getByRole('row', { name: /^Named The Agent said what its name is\./ }).waitFor()
        expect(await page.getByRole('row', { name: /Guests/ }).count()).toBe(0)
      },
    })

    await page.goto(`${url}/conversations/${sessionId}`)
    const evaluation = page.getByRole('region', { name: 'Evaluation' })
    await evaluation.getByText('The built-in model cannot judge conversations').waitFor()
    expect(await allFaultsOf(page)).toEqual([])

    await page.route('**/analysis', (route) => route.fulfill({ json: { analysis: judged } }))
    await page.reload()
    await evaluation.getByText('It said its name.').waitFor()
    expect(await evaluation.getByRole('listitem').allTextContents()).toEqual(['SuccessNamedIt said its name.'])
    await evaluation.getByText('Not found').waitFor()
    expect(await allFaultsOf(page)).toEqual([])
  })

  test('a Member runs scenarios against the draft, and reads of each what came and what was lacking', async () => {
    const page = await scene().openAs('member', '/agents/new')
    await page.getByRole('button', { name: 'Front desk' }).click()
    await page.getByRole('tab', { name: 'Evaluation' }).click()
    const section = page.getByRole('region', { name: 'Scenarios' })
    const text = section.getByRole('textbox', { name: 'Scenarios, in YAML' })
    await section.getByRole('button', { name: 'Begin with an example' }).click()
    const agent = /^agent: .+$/m.exec(await text.inputValue())![0]
    await text.fill(`${agent}\nscenarios:\n  - name: None\n    turns: []\n`)
    await section.getByRole('button', { name: 'Run' }).click()
    await section.getByText(/^Line 4: scenarios\.0\.turns: /).waitFor()
    expect(await allFaultsOf(page)).toEqual([])

    await text.fill(`${agent}
scenarios:
  - name: Greets and adds
    turns:
      - expect: { words: front desk }
      - user: What is two plus three?
        expect: { words: '5', within_ms: 25000 }
  - name: Looks it up
    turns:
      - user: What is two plus two?
        expect: { words: '4', tools: calculator }
      - user: Thank you.
        expect: { words: goodbye }
  - name: Hears
    turns:
      - user: { say: Hello }
`)
    await section.getByRole('button', { name: 'Run' }).click()
    await section.getByRole('status').getByText('1 of 2 scenarios passed.').waitFor()
    const results = section.getByRole('list', { name: 'Results' }).locator('> li')
    expect(await results.locator('summary, > span').allTextContents()).toEqual([
      'PassedGreets and adds',
      'FailedLooks it up',
      'Not runHears',
    ])
    const failed = results.nth(1).getByRole('list', { name: 'Turns' }).getByRole('listitem')
    expect(await failed.allTextContents()).toEqual([
      expect.stringMatching(
        /^User: What is two plus two\?Agent: That is .*Failed: the tool calculator was not called$/,
      ),
      expect.stringMatching(/^User: Thank you\.Agent: You are welcome\..*Failed: the reply lacks "goodbye"$/),
    ])
    expect(await allFaultsOf(page)).toEqual([])
    // Another section of the Agent does not take the results away, and a load of the page keeps the scenarios.
    await page.getByRole('tab', { name: 'Prompt' }).click()
    await page.getByRole('tab', { name: 'Evaluation' }).click()
    await results.nth(1).getByRole('link', { name: 'Record of the conversation' }).click()
    await page.getByRole('heading', { name: /^Conversation with Front desk/ }).waitFor()
    await page.getByText('You are welcome.').first().waitFor()
    await page.getByRole('link', { name: 'Draft, revision 1' }).waitFor()
    await page.goBack()
    await page.reload()
    expect(await text.inputValue()).toContain('Greets and adds')
  })

  describe('with a language model', () => {
    const rooms = { result: 'success', reason: 'It said that two rooms are free.' }
    const price = { result: 'failure', reason: 'No price was named.' }
    let model: OllamaServer
    beforeAll(async () => {
      model = await startOllamaServer({
        replyTo(messages) {
          const asked = messages.at(-1)!.content
          if (!asked.startsWith('Criteria:')) return 'Two rooms are free.'
          return JSON.stringify({ criteria: { 1: asked.includes('names a price') ? price : rooms } })
        },
      })
    })
    afterAll(() => model?.stop())

    test('a Member reads of each scenario what the model judged of its conversation, and why', async () => {
      const { platform, url, workspaceId } = scene()
      const { request } = await scene().openAs('admin')
      const headers = { origin: url, 'x-parlance-workspace': workspaceId }
      const providers = `${url}/dashboard/api/providers`
      const data = { kind: 'openai_compatible', name: 'Judge', url: `${model.url}/v1` }
      const { id: llm_provider } = await (await request.post(providers, { headers, data })).json()
      const { key } = await platform.auth.createKey({ workspace_id: workspaceId, label: 'Judge' })
      const api = createApi(url, `Bearer ${key}`)
      const agent = { voice: await api.voice(), llm_provider, llm_model: 'qwen3:8b' }
      const agentId = await publishAgent(api, agent)

      const page = await scene().openAs('member', `/agents/${agentId}?section=evaluation`)
      const section = page.getByRole('region', { name: 'Scenarios' })
      await section.getByRole('textbox', { name: 'Scenarios, in YAML' }).fill(`agent: ${agentId}
scenarios:
  - name: Offers rooms
    turns:
      - user: Is a room free?
        expect: { judge: The Agent offers rooms. }
  - name: Names a price
    turns:
      - user: Is a room free?
        expect: { judge: The Agent names a price. }
`)
      await section.getByRole('button', { name: 'Run' }).click()
      await section.getByRole('status').getByText('1 of 2 scenarios passed.').waitFor()
      const results = section.getByRole('list', { name: 'Results' }).locator('> li')
      await results.first().getByText('Offers rooms', { exact: true }).click()
      const judgments = results.locator('[aria-label=Turns] > li:last-child')
      await judgments.first().waitFor()
      expect(await judgments.allTextContents()).toEqual([
        `Passed: judged as success: The Agent offers rooms. (${rooms.reason})`,
        `Failed: judged as failure: The Agent names a price. (${price.reason})`,
      ])
      expect(await allFaultsOf(page)).toEqual([])
      // Agents that are made later would choose it.
      await request.delete(`${providers}/${llm_provider}`, { headers })
    })
  })
}
