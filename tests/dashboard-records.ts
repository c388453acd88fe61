import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createApi } from './api.js'
import type { DashboardScene } from './dashboard-scene.js'
import { dialogFaultsOf } from './dialog-reach.js'
import { eventually } from './eventually.js'
import { allFaultsOf } from './page-faults.js'
import { reachFaultsOf } from './page-reach.js'
import { publishAgent } from './publish-agent.js'
import { recordConversation } from './recorded-conversation.js'
import { connectSession } from './session-peer.js'

/** The pages with records: conversations, usage, voices. */
export const testRecordPages = (scene: () => DashboardScene): void => {
  test('a conversation is found by its Agent and by its id, shows its timings and calls of tools, is saved whole, is named in the usage, and is deleted', async () => {
    const [agent, text, label] = ['Front desk', 'Search for quiet hotels.', 'Hotel']
    const found = 'There are two quiet hotels.'
    const { platform, workspaceId } = scene()
    const { sessionId, reply } = await recordConversation(platform, workspaceId, { agent, text, label, found })
    const page = await scene().openAs('admin', '/conversations')
    await page.getByRole('combobox', { name: 'Agent' }).click()
    await page.getByRole('option', { name: agent }).click()
    await page.waitForURL('**/conversations?agent=*')
    await page.getByRole('combobox', { name: 'Status' }).click()
    await page.getByRole('option', { name: 'Failed' }).click()
    await page.getByRole('heading', { name: 'No conversation matches' }).waitFor()
    await page.getByRole('button', { name: 'Show all' }).click()
    const id = page.getByRole('searchbox', { name: 'Search' })
    await id.fill('Never said')
    await id.press('Enter')
    await page.waitForURL('**/conversations?said=Never*')
    await page.getByText('An id must be whole.').waitFor()
    await id.fill('QUIET hotels')
    await id.press('Enter')
    await page.getByRole('link', { name: agent }).waitFor()
    await page.getByRole('combobox', { name: 'End reason' }).click()
    await page.getByRole('option', { name: 'The language model failed' }).click()
    await page.waitForURL('**/conversations?*reason=llm_error*')
    await page.getByRole('heading', { name: 'No conversation matches' }).waitFor()
    await page.getByRole('combobox', { name: 'End reason' }).click()
    await page.getByRole('option', { name: 'The user hung up' }).click()
    await page.getByRole('link', { name: agent }).waitFor()
    // Of an end user who has had no conversation.
    await id.fill(randomUUID())
    await id.press('Enter')
    await page.waitForURL('**/conversations?end_user=*')
    await page.getByRole('heading', { name: 'No conversation matches' }).waitFor()
    expect(await id.and(page.locator(':focus')).count()).toBe(1)
    await page.getByRole('button', { name: 'Show all' }).click()
    await page.getByRole('link', { name: agent }).waitFor()
    expect(await id.inputValue()).toBe('')
    await id.fill(sessionId)
    await id.press('Enter')

    await page.getByRole('heading', { name: `Conversation with ${agent}` }).waitFor()
    const messages = page.getByRole('list', { name: 'Transcript' }).getByRole('listitem')
    expect(await messages.allTextContents()).toEqual([expect.stringContaining(text), expect.stringContaining(reply)])
    await messages
      .first()
      .getByRole('group', { name: /^Timings of the turn: / })
      .waitFor()
    const call = messages.last().getByRole('group', { name: 'Tool calls' })
    expect(await call.getByText(found).isVisible()).toBe(false)
    await call.getByText('web_search').click()
    await call.getByText('"query": "quiet hotels"').waitFor()
    await call.getByText(found).waitFor()
    expect(await allFaultsOf(page)).toEqual([])
    expect(await reachFaultsOf(page)).toEqual([])
    expect(await dialogFaultsOf(page, { button: 'Delete' })).toEqual([])
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
      tool_calls: [{ name: 'web_search', arguments: { query: 'quiet hotels' }, result: found, outcome: 'succeeded' }],
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
    const listed = page.getByRole('table', { name: 'Conversations' }).getByRole('link')
    await page.getByRole('heading', { name: 'No conversation yet' }).or(listed.first()).waitFor()
    await listed.filter({ hasText: agent }).waitFor({ state: 'detached' })
  })

  test('a live conversation is followed while the Agent speaks, and ended by a member', async () => {
    const { platform, workspaceId, url } = scene()
    const { key } = await platform.auth.createKey({ workspace_id: workspaceId, label: 'Live' })
    const api = createApi(url, `Bearer ${key}`)
    const sentence = 'This is a sentence that takes the Agent a few seconds to speak to its end, and then it goes on.'
    const greeting = `${sentence} ${sentence} ${sentence} That was all.`
    const voice = await api.voice()
    const agentId = await publishAgent(api, { voice, display_name: 'Long greeting', first_message: greeting })
    const { token } = (await api.post(`/v1/agents/${agentId}/session-tokens`)).body
    const authorization = `Bearer ${token}`
    const { body } = await api.post(`/v1/agents/${agentId}/sessions`, { transport: 'websocket' }, { authorization })
    const page = await scene().openAs('member')
    const peer = await connectSession(body.websocket_url, token)
    peer.send({ event: 'client.ready' })
    await peer.event('session.ready')

    await page.goto(`${url}/conversations`)
    // The whole row opens the conversation, also beside its link.
    await page
      .getByRole('row', { name: /Long greeting.*Live/ })
      .getByRole('cell')
      .last()
      // The link covers the row.
      .click({ force: true })
    const message = page.getByRole('list', { name: 'Transcript' }).getByRole('listitem')
    await message.filter({ hasText: 'This is a sentence' }).waitFor()
    const spoken = (await message.textContent())!
    expect(spoken).not.toContain('That was all.')
    const length = page.getByText(/^\d+\u00a0s$/).first()
    const early = await length.textContent()
    await eventually(async () => (await message.textContent())!.length > spoken.length || undefined)
    await eventually(async () => (await length.textContent()) !== early || undefined)
    expect(await allFaultsOf(page)).toEqual([])
    expect(await dialogFaultsOf(page, { button: 'End' })).toEqual([])

    await page.getByRole('button', { name: 'End', exact: true }).click()
    await page.getByRole('button', { name: 'End it' }).click()
    expect(await peer.event('session.ended', () => true)).toMatchObject({ reason: 'api_ended' })
    await page.getByText('Ended through the API').waitFor()
    await page.getByRole('button', { name: 'End', exact: true }).waitFor({ state: 'detached' })
    const admin = await scene().openAs('admin', '/audit-log')
    await eventually(async () => {
      await admin.reload()
      await admin.waitForSelector('main table')
      return (await admin.getByRole('row', { name: /Ended a live conversation.*The member/ }).count()) > 0 || undefined
    })
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete it' }).click()
    await page.getByRole('heading', { name: 'Conversations' }).waitFor()
  })

  test('a voice is found by its language, and its preview is played', async () => {
    const page = await scene().openAs('member', '/voices')
    await page.getByRole('combobox', { name: 'Language' }).click()
    await page.getByRole('option', { name: 'German' }).click()
    const rows = page.getByRole('table', { name: 'Voices' }).getByRole('row')
    // Beside the row of headings.
    const speaking = await rows.filter({ has: page.locator('[title*=German]') }).count()
    expect([speaking > 0, speaking]).toEqual([true, (await rows.count()) - 1])
    const boxes = await Promise.all((await rows.all()).slice(1).map((row) => row.boundingBox()))
    expect(boxes.every((box) => box!.height <= 57)).toBe(true)
    await rows
      .nth(1)
      .getByRole('button', { name: /^License of / })
      .click()
    expect(await page.getByRole('dialog').textContent()).toMatch(/\w/)
    await page.keyboard.press('Escape')
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
