/** Conversations of a signed-in member in the dashboard, by text: no recognition is needed. */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { createApi } from './api.js'
import { testListening } from './dashboard-listening.js'
import { testNaturalVoiceDialog } from './dashboard-natural-voice.js'
import { describeDashboard } from './dashboard-scene.js'
import { eventually } from './eventually.js'
import { allFaultsOf } from './page-faults.js'
import { phone, reachFaultsOf, resize } from './page-reach.js'
import { publishAgent } from './publish-agent.js'
import { connectSession } from './session-peer.js'

/** Resolves when all of the elements are wholly in the window: the frame of the page moves for a moment after a change of its size. */
const waitInWindow = (page: Page, selectors: readonly string[]) =>
  eventually(async () => {
    const isShown = await page.evaluate<boolean>(`${JSON.stringify(selectors)}.every((selector) => {
      const { top, bottom, left, right } = document.querySelector(selector).getBoundingClientRect()
      return top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth
    })`)
    return isShown || undefined
  })

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

  /** The side of the transcript at which a message stands. */
  const sideOf = async (page: Page, text: string): Promise<'left' | 'right'> => {
    const transcript = page.getByRole('log').or(page.getByRole('list', { name: 'Transcript' }))
    const [list, message] = await Promise.all(
      [transcript, transcript.getByText(text)].map(async (element) => (await element.boundingBox())!),
    )
    return message!.x - list!.x < list!.x + list!.width - message!.x - message!.width ? 'left' : 'right'
  }
  const expectSides = async (page: Page) => {
    expect(await sideOf(page, 'What is twelve plus thirty?')).toBe('right')
    expect(await sideOf(page, 'That is 42.')).toBe('left')
  }

  test('talks by text with a chosen Agent, and sees the Agent, the transcript, the timings of the turns and what was kept, with a link to the record', async () => {
    await newAgent({ display_name: 'Other', first_message: 'Other.' })
    const { agentId } = await newAgent({ display_name: 'Sums', llm_model: 'rules', first_message: 'Ask me.' })
    const page = await scene().openAs('member')
    const emulation = await page.context().newCDPSession(page)
    await emulation.send('Emulation.setTimezoneOverride', { timezoneId: 'Asia/Tokyo' })
    await page.goto(`${scene().url}/playground/talk`)
    await page.getByLabel('Agent', { exact: true }).selectOption(agentId)
    await page.getByLabel('Input').selectOption('text')
    for (const size of [{ width: 1366, height: 650 }, phone]) {
      await resize(page, size)
      await page.evaluate('scrollTo(0, 0)')
      await waitInWindow(page, ['#stage', '#start', '#transcript', '[aria-label=Message]'])
      const { height } = (await page.locator('#stage').boundingBox())!
      expect(height).toBeGreaterThan(200)
    }
    await page.getByText('it cannot use its prompt').waitFor()
    await page.getByRole('button', { name: 'Start' }).click()
    const transcript = page.getByRole('log', { name: 'Transcript' })
    await transcript.getByText('Ask me.').waitFor()
    expect(await page.getByLabel('Agent', { exact: true }).isDisabled()).toBe(true)
    await page.getByLabel('Message').fill('What is twelve plus thirty?')
    await page.keyboard.press('Enter')
    await transcript.getByText('That is 42.').waitFor()
    // The next question would cut it off.
    await page.locator('#stage').getByText('Listening').waitFor()
    await page.getByLabel('Message').fill('What is two plus three?')
    await page.keyboard.press('Enter')
    await transcript.getByText('That is 5.').waitFor()
    await page.getByText('Timings of the turns').click()
    const timings = page.getByRole('group', { name: /^Timings of the turn: / })
    await timings.nth(1).waitFor()
    expect(await timings.first().textContent()).toMatch(/Speech [\d.]+ m?s/)
    // The turn was typed: it has neither endpointing nor recognition.
    expect(await timings.first().textContent()).not.toMatch(/End of turn|Recognition/)
    expect(await allFaultsOf(page)).toEqual([])
    await page.getByLabel('Message').fill('What time is it?')
    await page.keyboard.press('Enter')
    await transcript.getByText('Japan Standard Time').waitFor()
    await expectSides(page)
    await page.getByRole('button', { name: 'Hang up' }).click()
    await page.getByText(/You hung up\. \d+ s, [1-7] messages kept, [\d.]+ credit used\./).waitFor()
    expect(await page.evaluate('document.activeElement.id')).toBe('start')
    await page.getByRole('link', { name: 'Open the record' }).click()
    await page.getByRole('heading', { name: 'Conversation with Sums' }).waitFor()
    await page.getByRole('list', { name: 'Transcript' }).getByText('That is 42.').waitFor()
    await expectSides(page)
  })

  test.each(['closes the tab', 'leaves the page'])(
    'ends the conversation as hung up by the user when the person %s',
    async (way) => {
      const { api, agentId } = await newAgent({ llm_model: 'rules', first_message: 'Ask me.' })
      const page = await scene().openAs('member', '/playground/talk')
      await page.getByLabel('Agent', { exact: true }).selectOption(agentId)
      await page.getByLabel('Input').selectOption('text')
      await page.getByRole('button', { name: 'Start' }).click()
      await page.getByRole('log', { name: 'Transcript' }).getByText('Ask me.').waitFor()
      if (way === 'closes the tab') await page.close()
      else await page.goto('about:blank')
      const record = await eventually(async () => {
        const { body } = await api.get(`/v1/agent-sessions?agent_id=${agentId}`)
        return body.sessions[0]?.status === 'ended' ? body.sessions[0] : undefined
      })
      expect(record.end_reason).toBe('user_disconnected')
    },
  )

  test('has a text spoken without a key, and sees how soon it began and what was billed', async () => {
    const page = await scene().openAs('member', '/playground/speech')
    await page.getByLabel('Text to speak').fill('Good morning.')
    await page.getByRole('button', { name: 'Speak' }).click()
    await page.waitForSelector('#speech[data-state=done]')
    expect(await page.locator('#billed').textContent()).toBe('13')
    expect(await page.locator('#ttfa').textContent()).toMatch(/^[1-9][\d,]* ms$/)
  })

  testNaturalVoiceDialog(scene)
  testListening(scene)

  test('talks with the draft above its fields, which are saved first', async () => {
    const { api, agentId } = await newAgent({ first_message: 'Published.' })
    const page = await scene().openAs('member', `/agents/${agentId}?section=prompt`)
    await page.getByRole('textbox', { name: 'First message' }).fill('Edited.')
    await page.getByRole('button', { name: 'Talk with the draft' }).click()
    await page.getByText('it cannot use its prompt').first().waitFor()
    await page.getByLabel('Input').selectOption('text')
    await waitInWindow(page, ['#mode', '#start', '#transcript', '[aria-label=Message]', '[aria-label=Send]'])
    await page.getByRole('button', { name: 'Start' }).click()
    await page.getByRole('log', { name: 'Transcript' }).getByText('Edited.').waitFor()
    expect(await allFaultsOf(page)).toEqual([])
    expect((await api.get(`/v1/agents/${agentId}`)).body.first_message).toBe('Edited.')

    const controls = ['#stage', '#hang-up', '#interrupt', '#transcript', '[aria-label=Message]', '[aria-label=Send]']
    for (const size of [{ width: 1366, height: 650 }, phone]) {
      await resize(page, size)
      await page.evaluate('scrollTo(0, 0)')
      await waitInWindow(page, controls)
    }
    await page.setViewportSize({ width: 1366, height: 650 })
    await page.getByRole('button', { name: 'Hang up' }).click()
    await page.getByText(/You hung up/).waitFor()
    await page.getByLabel('Input').selectOption('push-to-talk')
    await page.evaluate('scrollTo(0, 0)')
    await waitInWindow(page, ['#mode', '#start'])
    await page.getByLabel('Input').selectOption('text')
    await page.getByRole('tab', { name: 'General' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('')
    await page.getByRole('button', { name: 'Start' }).click()
    await page.getByText('The draft was not saved. Fix the marked fields, then start again.').waitFor()
  })

  test('fills the variables that the prompt and the first message of the draft name, also before they are saved', async () => {
    const { agentId } = await newAgent({ system_prompt: 'Teach {{subject}}.', first_message: 'Published.' })
    const page = await scene().openAs('member', `/agents/${agentId}?section=prompt`)
    await page.getByRole('button', { name: 'Talk with the draft' }).click()
    const variables = page.getByRole('group', { name: 'Variables for the next conversation' })
    await variables.getByLabel('subject').fill('Latin')
    const message = 'Hello {{ name }}, today we do {{subject}} in {{time_zone}}.'
    await page.getByRole('textbox', { name: 'First message' }).fill(message)
    await variables.getByLabel('name').fill('Ada')
    expect(await variables.getByRole('textbox').count()).toBe(2)
    expect(await allFaultsOf(page)).toEqual([])
    await page.getByLabel('Input').selectOption('text')
    await page.getByRole('button', { name: 'Start' }).click()
    await page
      .getByRole('log', { name: 'Transcript' })
      .getByText(/Hello Ada, today we do Latin in \w/)
      .waitFor()
  })

  test('talks with the draft of an Agent, which others do not reach, and the record has the revision', async () => {
    const { api, agentId } = await newAgent({ first_message: 'Published.' })
    await api.patch(`/v1/agents/${agentId}`, {
      first_message: 'Draft of {{name}}.',
      session_config: { allowed_origins: ['https://elsewhere.example.com'] },
    })
    const page = await scene().openAs('member', '/members')
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
  })

  test('asks for the consent that a recording needs, also where the draft is tried, and says whether a conversation was recorded, and why not', async () => {
    const { api, agentId } = await newAgent({ llm_model: 'rules', first_message: 'Ask me.' })
    const { platform, workspaceId, url } = scene()
    const settings = { enabled: true, consent_required: true, retention_days: 7 }
    await platform.recordings.putSettings({ workspace_id: workspaceId, agent_id: agentId, settings })
    const page = await scene().openAs('member', '/playground/talk')
    await page.getByLabel('Agent', { exact: true }).selectOption(agentId)
    await page.getByLabel('Input').selectOption('text')
    const consent = page.getByLabel('Record this conversation')
    await consent.waitFor()
    expect(await allFaultsOf(page)).toEqual([])
    const talkTo = async (words: RegExp) => {
      await page.getByRole('button', { name: 'Start' }).click()
      await page.getByRole('log', { name: 'Transcript' }).getByText('Ask me.').waitFor()
      await page.getByRole('button', { name: 'Hang up' }).click()
      await page.getByText(words).waitFor()
    }
    await talkTo(/It was not recorded\. The Agent is recorded only with consent/)
    await consent.check()
    await talkTo(/It was recorded\./)
    const { body } = await api.get(`/v1/agent-sessions?agent_id=${agentId}`)
    await page.goto(`${url}/conversations/${body.sessions.at(-1).id}`)
    await page.getByText(/The conversation was not recorded\. The Agent is recorded only with consent/).waitFor()

    await page.goto(`${url}/agents/${agentId}`)
    await page.getByRole('button', { name: 'Talk with the draft' }).click()
    await page.getByLabel('Input').selectOption('text')
    await consent.check()
    await talkTo(/It was recorded\./)
  })

  test('turns recording on, and plays a recorded conversation in step with its transcript', async () => {
    const { api, agentId } = await newAgent({ llm_model: 'rules', first_message: 'Welcome. Please ask me for a sum.' })
    const editor = await scene().openAs('admin', `/agents/${agentId}?section=recording`)
    await editor.getByRole('switch', { name: 'Record conversations' }).click()
    await editor.getByRole('switch', { name: 'Only with the user’s consent' }).click()
    await editor.getByRole('textbox', { name: 'Keep for' }).fill('7')
    expect(await allFaultsOf(editor)).toEqual([])
    await editor.getByRole('button', { name: 'Save recording' }).click()
    await editor.getByText('Saved.').waitFor()

    const { token } = (await api.post(`/v1/agents/${agentId}/session-tokens`)).body
    const authorization = `Bearer ${token}`
    const { body } = await api.post(`/v1/agents/${agentId}/sessions`, { transport: 'websocket' }, { authorization })
    const peer = await connectSession(body.websocket_url, token)
    peer.send({ event: 'client.ready' })
    await peer.event('transcript', ({ role, final }) => role === 'agent' && final)
    peer.send({ event: 'text.send', id: randomUUID(), text: 'What is twelve plus thirty?' })
    await peer.event('transcript', ({ text, final }) => text === 'That is 42.' && final)
    peer.socket.close(1000)
    await peer.closed

    const page = await scene().openAs('member', `/agents/${agentId}`)
    await page.getByRole('tab', { name: 'Sessions' }).waitFor()
    expect(await page.getByRole('tab', { name: 'Recording' }).count()).toBe(0)
    await page.goto(`${scene().url}/conversations/${body.session_id}`)
    const audio = page.getByLabel('Recording', { exact: true }).and(page.locator('audio'))
    await audio.waitFor()
    const messages = page.getByRole('list', { name: 'Transcript' }).getByRole('listitem')
    const reply = messages.filter({ hasText: 'That is 42.' })
    await reply.getByText('That is 42.').click()
    await reply.and(page.locator('[aria-current]')).waitFor()
    const { currentTime: at, duration: seconds } = await audio.evaluate((element) => {
      const { currentTime, duration } = element as unknown as { currentTime: number; duration: number }
      return { currentTime, duration }
    })
    const { positions, duration_ms } = (
      await scene().platform.recordings.getRecording({
        ...{ workspace_id: scene().workspaceId, session_id: body.session_id },
      })
    ).recording!
    expect(Math.abs(seconds - duration_ms! / 1000)).toBeLessThan(0.1)
    expect(at).toBeGreaterThanOrEqual(positions.at(-1)!.start_ms / 1000 - 0.01)
    await messages
      .first()
      .getByRole('button', { name: /^Play from 0:0/ })
      .click()
    await messages.first().and(page.locator('[aria-current]')).waitFor()
    expect(await page.locator('[aria-current=true]').count()).toBe(1)
    await audio.evaluate((element) => (element as unknown as { pause(): void }).pause())
    expect(await allFaultsOf(page)).toEqual([])
    expect(await reachFaultsOf(page)).toEqual([])
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Save the audio' }).click(),
    ])
    expect(
      readFileSync(await saved.path())
        .subarray(0, 4)
        .toString(),
    ).toBe('OggS')

    await api.delete(`/v1/agent-sessions/${body.session_id}`)
    await editor.getByRole('link', { name: 'Audit log' }).click()
    const entries = editor.getByRole('table', { name: 'Audit log' }).getByRole('row')
    await entries.filter({ hasText: /Deleted recordings.*deleted with: its conversation.*test/ }).waitFor()
    const changed = entries.filter({ hasText: /Changed how an Agent is recorded.*retention days: 7.*The admin/ })
    const details = await changed.textContent()
    for (const detail of ['recording: on', 'recording before: off', 'consent: not required']) {
      expect(details).toContain(detail)
    }
  })
})
