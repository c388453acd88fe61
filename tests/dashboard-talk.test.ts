/** Conversations of a signed-in member in the dashboard, by text: no recognition is needed. */
import { createApi } from './api.js'
import { describeDashboard } from './dashboard-scene.js'
import { allFaultsOf } from './page-faults.js'
import { publishAgent } from './publish-agent.js'
import { connectSession } from './session-peer.js'

describeDashboard('a member in the dashboard', (scene) => {
  const openApi = async () => {
    const { platform, url, workspaceId } = scene()
    const { key } = await platform.auth.createKey({ workspace_id: workspaceId, label: 'test' })
    return createApi(url, `Bearer ${key}`)
  }
  const newAgent = async (fields: object) => {
    const api = await openApi()
    return { api, agentId: await publishAgent(api, { voice: await api.voice(), ...fields }) }
  }

  test('talks by text with a chosen Agent, and sees the transcript, the times of the turn and what was kept', async () => {
    await newAgent({ display_name: 'Other', first_message: 'Other.' })
    const { agentId } = await newAgent({ display_name: 'Sums', llm_model: 'rules', first_message: 'Ask me.' })
    const page = await scene().openAs('member')
    await page.getByRole('link', { name: 'Talk', exact: true }).click()
    await page.getByLabel('Agent', { exact: true }).selectOption(agentId)
    await page.getByLabel('Input').selectOption('text')
    await page.getByRole('button', { name: 'Start' }).click()
    const transcript = page.getByRole('list', { name: 'Transcript' })
    await transcript.getByText('Ask me.').waitFor()
    expect(await page.getByLabel('Agent', { exact: true }).isDisabled()).toBe(true)
    await page.getByLabel('Message').fill('What is twelve plus thirty?')
    await page.keyboard.press('Enter')
    await transcript.getByText('That is 42.').waitFor()
    await page
      .locator('#first-audio')
      .filter({ hasText: /^[\d,]+ ms$/ })
      .waitFor()
    // The turn was typed: it has neither endpointing nor recognition.
    expect(await page.locator('#endpointing').textContent()).toBe('–')
    await page.getByRole('button', { name: 'Hang up' }).click()
    await page.getByText(/You hung up\. \d+ s, [123] messages kept, [\d.]+ credit used\./).waitFor()
    expect(await page.evaluate('document.activeElement.id')).toBe('start')
  }, 60_000)

  test('talks with the draft beside its fields, which are saved first', async () => {
    const { api, agentId } = await newAgent({ first_message: 'Published.' })
    const page = await scene().openAs('member')
    await page.goto(`${scene().url}/agents/${agentId}?section=prompt`)
    await page.getByRole('textbox', { name: 'First message' }).fill('Edited.')
    await page.getByRole('button', { name: 'Talk with the draft' }).click()
    await page.getByLabel('Input').selectOption('text')
    await page.getByRole('button', { name: 'Start' }).click()
    await page.getByRole('list', { name: 'Transcript' }).getByText('Edited.').waitFor()
    expect(await allFaultsOf(page)).toEqual([])
    expect((await api.get(`/v1/agents/${agentId}`)).body.first_message).toBe('Edited.')

    await page.getByRole('button', { name: 'Hang up' }).click()
    await page.getByText(/You hung up/).waitFor()
    await page.getByRole('tab', { name: 'General' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('')
    await page.getByRole('button', { name: 'Start' }).click()
    await page.getByText('The draft was not saved. Mend what is marked, then start again.').waitFor()
  }, 60_000)

  test('talks with the draft of an Agent, which others do not reach, and the record tells it', async () => {
    const { api, agentId } = await newAgent({ first_message: 'Published.' })
    await api.patch(`/v1/agents/${agentId}`, {
      first_message: 'Draft of {{name}}.',
      session_config: { allowed_origins: ['https://elsewhere.example.com'] },
    })
    const page = await scene().openAs('member')
    const minted = await page.evaluate<{ token: string }>(`
      fetch('/dashboard/api/agents/${agentId}/draft-session-tokens', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-parlance-workspace': '${scene().workspaceId}' },
        body: JSON.stringify({ variables: { name: 'Ada' } }),
      }).then((answer) => answer.json())`)
    const published = (await api.post(`/v1/agents/${agentId}/session-tokens`)).body.token
    const greetings = { [minted.token]: 'Draft of Ada.', [published]: 'Published.' }
    const records = []
    for (const [token, greeting] of Object.entries(greetings)) {
      const authorization = `Bearer ${token}`
      const { body } = await api.post(
        `/v1/agents/${agentId}/sessions`,
        { transport: 'websocket' },
        { authorization, origin: scene().url },
      )
      const peer = await connectSession(body.websocket_url, token)
      peer.send({ event: 'client.ready' })
      const { text } = await peer.event('transcript', ({ role, final }) => role === 'agent' && final)
      expect(text).toBe(greeting)
      peer.socket.close(1000)
      await peer.closed
      records.push((await api.get(`/v1/agent-sessions/${body.session_id}`)).body)
    }
    const [ofDraft, ofPublished] = records
    const { draft_revision, active_publication } = (await api.get(`/v1/agents/${agentId}`)).body
    expect([ofDraft.metadata, ofDraft.publication]).toEqual([{ draft: true }, draft_revision])
    expect([ofPublished.metadata, ofPublished.publication.id]).toEqual([{}, active_publication.id])
  }, 60_000)
})
