import { readFileSync } from 'node:fs'
import type { DashboardScene } from './dashboard-scene.js'
import { allFaultsOf } from './page-faults.js'
import { recordConversation } from './recorded-conversation.js'

/** The pages that show what there is and what happened: conversations, usage, voices. */
export const testRecordPages = (scene: () => DashboardScene): void => {
  test('a conversation is found by its Agent, shows its timings, is saved whole, is named in the usage, and is deleted', async () => {
    const [agent, text, label] = ['Front desk', 'What is your name?', 'Hotel']
    const { platform, workspaceId } = scene()
    const { sessionId, reply } = await recordConversation(platform, workspaceId, { agent, text, label })
    const page = await scene().openAs('admin')
    await page.getByRole('link', { name: 'Conversations' }).click()
    await page.getByRole('combobox', { name: 'Agent' }).click()
    await page.getByRole('option', { name: agent }).click()
    await page.waitForURL('**/conversations?agent=*')
    await page.getByRole('combobox', { name: 'Status' }).click()
    await page.getByRole('option', { name: 'Failed' }).click()
    await page.getByRole('heading', { name: 'No conversation matches' }).waitFor()
    await page.getByRole('button', { name: 'Show all' }).click()
    await page.getByRole('link', { name: agent }).click()

    await page.getByRole('heading', { name: `Conversation with ${agent}` }).waitFor()
    const messages = page.getByRole('list', { name: 'Transcript' }).getByRole('listitem')
    expect(await messages.allTextContents()).toEqual([expect.stringContaining(text), expect.stringContaining(reply)])
    await messages
      .first()
      .getByRole('group', { name: /^Timings of the turn: / })
      .waitFor()
    expect(await allFaultsOf(page)).toEqual([])
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export as JSON' }).click(),
    ])
    expect(JSON.parse(readFileSync(await saved.path(), 'utf8'))).toMatchObject({
      ...{ id: sessionId, status: 'ended', end_reason: 'user_disconnected' },
      transcript: [
        { role: 'user', text },
        { role: 'agent', text: reply },
      ],
      turns: [{ endpointing_ms: null, llm_ttft_ms: expect.any(Number), tts_ttfa_ms: expect.any(Number) }],
    })

    await page.getByRole('link', { name: 'Usage and credit' }).click()
    await page.getByRole('row', { name: new RegExp(agent) }).waitFor()
    await page.getByRole('img', { name: 'Credit used on each day' }).waitFor()
    await page.getByRole('tab', { name: 'By API key' }).click()
    await page.getByRole('row', { name: new RegExp(label) }).waitFor()
    expect(await allFaultsOf(page)).toEqual([])

    await page.goto(`${scene().url}/conversations/${sessionId}`)
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete it' }).click()
    await page.getByRole('heading', { name: 'No conversation yet' }).waitFor()
  })

  test('a voice is found by its language, and its preview is played', async () => {
    const page = await scene().openAs('member')
    await page.goto(`${scene().url}/voices`)
    await page.getByRole('combobox', { name: 'Language' }).click()
    await page.getByRole('option', { name: 'German' }).click()
    const rows = page.getByRole('table', { name: 'Voices' }).getByRole('row')
    // Beside the row of headings.
    const speaking = await rows.filter({ hasText: 'German' }).count()
    expect([speaking > 0, speaking]).toEqual([true, (await rows.count()) - 1])
    const preview = page.waitForResponse('**/preview?variant=*')
    await page
      .getByRole('button', { name: /^Play / })
      .first()
      .click()
    expect((await preview).status()).toBe(200)
    await page
      .getByRole('button', { name: /^Stop / })
      .first()
      .click()
    await page.getByRole('button', { name: /^Stop / }).waitFor({ state: 'detached' })
  })
}
