import type { DashboardScene } from './dashboard-scene.js'
import { allFaultsOf } from './page-faults.js'
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
}
