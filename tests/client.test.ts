/** The browser client in a real browser against the real platform, in the cases that users of such libraries report. */
import { describeWithPrograms } from '@parlance/testing'
import { launchBrowser, launchFirefox, testedBrowser } from '@parlance/testing/browser'
import type { Browser, BrowserContext, ConsoleMessage, Page } from 'playwright-core'
import { vi } from 'vitest'
import { createApi } from './api.js'
import { eventually } from './eventually.js'
import { expectSessionSurvivesNetworkLoss } from './lossy-network.js'
import { openMicrophonePermission } from './microphone-permission.js'
import { type MouthFrame, mouthLagMs } from './mouth-lag.js'
import { changeNetwork, longestSilenceMs, openTcpPath, routeMedia } from './network-change.js'
import { openPageServer, type PageServer } from './page-server.js'
import { newKey, startTogether, type TestPlatform } from './platforms.js'
import { publishAgent } from './publish-agent.js'
import { spokenWav } from './spoken-wav.js'
import { openWidget, widgetFaultsOf } from './widget.js'

const greeting = 'Once upon a time there was a small shop at the corner of a long street.'
const journey =
  'The train leaves the city at nine and follows the river for an hour. Then it climbs to the lakes, where it stops at a small station. From there a bus goes to the village, and the last mile is a walk through the woods.'

const testInChromium = testedBrowser === 'firefox' ? test.skip : test

describeWithPrograms([testedBrowser, 'flite', 'pocketsphinx'], 'the browser client', () => {
  let platform: TestPlatform
  let pages: PageServer
  let browser: Browser
  let context: BrowserContext
  let page: Page
  let survived: Promise<void>
  let allowMicrophone: (setting: 'granted' | 'denied') => Promise<void>
  let api: ReturnType<typeof createApi>
  /** Agents that greet with a story, one that waits for a question, and one that greets with a long description. */
  let storyteller: string
  let listener: string
  let traveler: string
  const problems: string[] = []
  /** The error of the services' clock. */
  let clockMs = 0

  const ask = <Value>(expression: string): Promise<Value> => page.evaluate(expression)
  const next = <Payload>(name: string, fields: unknown = {}) =>
    ask<Payload>(`page.next(${JSON.stringify(name)}, ${JSON.stringify(fields)})`)
  const makeClient = (
    agentId: string,
    token = `fetch('/token/${agentId}').then((it) => it.text())`,
    transport = 'webrtc',
  ) =>
    `page.make({ transport: '${transport}', agentId: '${agentId}', apiOrigin: '${platform.urls[0]}', sessionToken: () => ${token} })`
  const make = (agentId: string, token?: string, transport?: string) => ask(makeClient(agentId, token, transport))
  const connect = (options: object = {}) =>
    ask<{ id: string; code?: string }>(`page.connect(${JSON.stringify(options)})`)
  const microphonesOn = () => ask<number>('page.microphonesOn()')
  const disconnect = () => ask('client.disconnect()')
  const ended = (id: string) =>
    eventually(async () => {
      const { body } = await api.get(`/v1/agent-sessions/${id}`)
      return ['ended', 'failed'].includes(body.status) ? body : undefined
    })

  beforeAll(async () => {
    const { now } = Date
    vi.spyOn(Date, 'now').mockImplementation(() => now() + clockMs)
    platform = await startTogether({
      SESSION_DRAIN_MS: '200',
      STT_PROVIDER: 'pocketsphinx',
    })
    const { authorization } = await newKey(platform)
    api = createApi(platform.urls[0], authorization)
    const voice = await api.voice()
    const publish = (agent: object) => publishAgent(api, { voice, ...agent })
    storyteller = await publish({ first_message: greeting })
    listener = await publish({})
    traveler = await publish({ first_message: journey })
    pages = await openPageServer(new URL('client-page.js', import.meta.url), async (agentId) => {
      const { body } = await api.post(`/v1/agents/${agentId}/session-tokens`)
      return body.token
    })
    browser = await (testedBrowser === 'firefox'
      ? launchFirefox({ 'media.autoplay.default': 1, 'media.autoplay.blocking_policy': 0 })
      : launchBrowser('--use-fake-device-for-media-stream', '--autoplay-policy=document-user-activation-required'))
    context = await browser.newContext()
    page = await context.newPage()
    page.on('pageerror', (error) => problems.push(error.message))
    allowMicrophone = await openMicrophonePermission(browser, page, pages.url)
    await page.goto(pages.url)
    await allowMicrophone('granted')
    // It takes the browser a while to notice the loss, so this runs beside the other tests.
    survived = expectSessionSurvivesNetworkLoss(browser, pages.url, makeClient(listener))
    survived.catch(() => {})
  })
  afterAll(async () => {
    await browser?.close()
    pages?.close()
    await platform?.stop()
    vi.restoreAllMocks()
  })
  afterEach(() => expect(problems.splice(0)).toEqual([]))

  // The program that drives Firefox evaluates an expression in each page that loads, which counts as a click.
  testInChromium.each(['webrtc', 'websocket'])(
    'without a click audio over %s is blocked until resumed',
    async (transport) => {
      const own = JSON.stringify({ agentId: storyteller, apiOrigin: platform.urls[0], transport })
      const predicate = (message: ConsoleMessage) => message.text() === 'audio blocked: true'
      const blocked = page.waitForEvent('console', { predicate, timeout: 0 })
      await page.goto(`${pages.url}/?connect=${encodeURIComponent(own)}`)
      await blocked
      await ask('client.resumeAudio()')
      await next('audioBlocked', false)
      await ask('page.until(() => client.getOutputLevel() > 0.05 || undefined)')
      await disconnect()
    },
  )

  test('without a microphone typed text is answered in speech, and the page never asks for one', async () => {
    await make(listener)
    await connect({ microphone: false })
    await ask(`client.sendText('What is twelve plus thirty?')`)
    await next('transcript', { role: 'user', text: 'What is twelve plus thirty?', final: true })
    await next('agentSpeaking', true)
    await ask('page.until(() => client.getOutputLevel() > 0.05 || undefined)')
    await next('transcript', { role: 'agent', text: 'That is 42.', final: true })
    await next('agentSpeaking', false)
    expect(await next('metrics')).toMatchObject({ stt_ms: null, llm_ttft_ms: expect.any(Number) })
    await expect(ask('client.startPushToTalk()')).rejects.toThrow('push-to-talk')
    await disconnect()
    expect(await ask('page.asked()')).toEqual({ sessions: 1, microphones: 0 })
    expect(await ask('page.states()')).toEqual(['connecting', 'connected', 'disconnecting', 'disconnected'])
  })

  test('after a denied microphone the client can connect once it is allowed, and nothing is on meanwhile', async () => {
    await allowMicrophone('denied')
    await make(listener)
    expect(await connect()).toMatchObject({ code: 'microphone_denied' })
    expect(await next('error')).toMatchObject({ code: 'microphone_denied' })
    expect(await ask('page.states()')).toEqual(['requesting-microphone', 'disconnected'])
    expect(await ask('page.asked()')).toEqual({ sessions: 0, microphones: 1 })
    await allowMicrophone('granted')
    const { id } = await connect()
    expect(await microphonesOn()).toBe(1)
    await ask(`page.until(() => client.inputDevices.some(({ label }) => label !== '') || undefined)`)
    await disconnect()
    expect(await microphonesOn()).toBe(0)
    expect(await ended(id)).toMatchObject({ end_reason: 'user_disconnected' })
    expect(await ask('page.count("disconnected")')).toBe(1)
  })

  /** A token that was minted 16 minutes ago. */
  const mintEarly = async () => {
    clockMs = -16 * 60_000
    const { body } = await api.post(`/v1/agents/${listener}/session-tokens`)
    clockMs = 0
    return `'${body.token}'`
  }

  test.each([
    [
      'of another Agent',
      'session_token_agent_mismatch',
      () => `fetch('/token/${storyteller}').then((it) => it.text())`,
    ],
    ['that has expired', 'session_token_expired', mintEarly],
    ['that does not exist', 'unauthorized', () => `'awst_${'x'.repeat(43)}'`],
    ['that its backend does not give', 'token_unavailable', () => `{ throw new Error('502') }`],
  ])('a token %s is refused with its code, and the microphone is off again', async (_, code, token) => {
    const source = await token()
    await make(listener, source.startsWith('{') ? `(() => ${source})()` : source)
    expect(await connect()).toMatchObject({ code })
    expect(await microphonesOn()).toBe(0)
    expect(await ask('client.connectionState')).toBe('disconnected')
    expect(await ask('page.count("disconnected")')).toBe(0)
  })

  test('connecting twice opens one session, and hanging up while connecting opens none', async () => {
    await make(listener)
    const ids = await ask<{ id: string }[]>('Promise.all([page.connect(), page.connect({ textOnly: true })])')
    expect(ids[0]).toEqual(ids[1])
    expect(await ask('page.asked()')).toEqual({ sessions: 1, microphones: 1 })
    await disconnect()
    // React does this in its strict mode.
    const [first, second] = await ask<{ id?: string; code?: string }[]>(
      '(() => { const first = page.connect(); client.disconnect(); return Promise.all([first, page.connect()]) })()',
    )
    expect(first).toMatchObject({ code: 'aborted' })
    expect(second).toEqual({ id: expect.any(String) })
    expect(await ask('page.asked()')).toMatchObject({ sessions: 2 })
    expect(await microphonesOn()).toBe(1)
    await disconnect()
    expect(await microphonesOn()).toBe(0)
  })

  test('lips follow the played audio within 60 ms, and the next speech after an interruption', async () => {
    await playGreeting('webrtc')
    await ask(`client.sendText('What can you do?')`)
    await next('agentSpeaking', true)
    await ask(`client.sendText('What is three plus six?')`)
    await next('interruption')
    const { id } = await next<{ id: string }>('transcript', { role: 'agent', text: 'That is 9.', final: true })
    // The browser plays it after the audio that it has buffered.
    await ask(`page.until(() => page.lips.some(({ speechId }) => speechId === '${id}') || undefined)`)
    await disconnect()
  })

  test('a page sends a track of its own, reads its levels and frequencies, and gives the Agent a text to speak', async () => {
    await make(listener)
    await ask(
      `page.ownTrack().then((track) => { page.track = track; return client.connect({ microphone: track }).then(() => {}) })`,
    )
    await ask('page.tone(3_000)')
    expect(await ask('page.asked()')).toEqual({ sessions: 1, microphones: 0 })
    expect(await ask('page.wakeLocks.map(({ released }) => released)')).toEqual([false])
    expect(await ask('client.getInputLevel()')).toBe(0)
    await ask(
      'page.levels = []; page.off = client.on("levels", (levels) => page.levels.push(levels)); client.startPushToTalk()',
    )
    await ask('page.until(() => page.levels.some(({ input }) => input > 0.5) || undefined)')
    const hertz = `(() => {
      const loudness = [...client.getInputFrequencyData()]
      const loudest = Math.max(...loudness)
      return loudest < 100 ? undefined : (loudness.indexOf(loudest) * new AudioContext().sampleRate) / 2 / loudness.length
    })`
    const loudestHz = await ask<number>(`page.until(${hertz})`)
    expect(Math.abs(loudestHz - 3_000)).toBeLessThan(100)
    await ask('client.cancelPushToTalk(); page.off()')

    await ask(`client.say('Your parcel has arrived.')`)
    await ask('page.until(() => client.getOutputFrequencyData().some((loudness) => loudness > 100) || undefined)')
    await next('transcript', { role: 'agent', text: 'Your parcel has arrived.', final: true })
    expect(await ask('client.history.map(({ type, text }) => [type, text])')).toEqual([
      ['message', 'Your parcel has arrived.'],
    ])
    await disconnect()
    expect(await ask('[page.track.readyState, client.messages.length]')).toEqual(['live', 1])
    await ask('page.until(() => page.wakeLocks.every(({ released }) => released) || undefined)')
  })

  test('what a page says is recognized and answered, by a tool of the page too, and both sides can be controlled and read', async () => {
    const parameters = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }
    const shopkeeper = await publishAgent(api, {
      voice: await api.voice(),
      tools: [{ type: 'client', name: 'open_page', description: 'Opens a page of the shop.', parameters }],
      session_config: { overrides: ['first_message'] },
    })
    await make(shopkeeper)
    await ask(`client.registerTool('open_page', {
      parameters: ${JSON.stringify(parameters)},
      run: ({ path }) => 'The page ' + path + ' is open.',
    })`)
    await ask(`page.ownTrack().then((microphone) => client
      .connect({ inputMode: 'automatic', microphone, overrides: { firstMessage: 'Welcome back.' } })).then(() => {})`)
    await next('transcript', { role: 'agent', text: 'Welcome back.', final: true })
    await ask(`client.updateContext('The page of offers.'); client.sendUserActivity()`)
    await ask(`client.sendText('Call open page with path cart')`)
    await next('transcript', { role: 'user', final: true })
    expect(await next('toolCall')).toMatchObject({ name: 'open_page', arguments: { path: 'cart' } })
    await next('transcript', { role: 'agent', text: 'The page cart is open.', final: true })
    await ask(`page.until(() => client.agentState === 'listening' || undefined)`)

    const spoken = (await spokenWav(['What time does the shop open tomorrow?'])).toString('base64')
    await ask(`page.say('${spoken}')`)
    await next('userSpeaking', true)
    await next('userSpeaking', false)
    const { text } = await next<{ text: string }>('transcript', { role: 'user', final: true })
    // How well it is recognized is tested in talk.test.ts.
    expect(text).not.toBe('')

    await ask('client.mute(); client.setVolume(0.5)')
    await next('muted', true)
    await next('volume', 0.5)
    expect(await ask('[client.muted, client.volume, client.getInputLevel()]')).toEqual([true, 0.5, 0])
    expect(await ask('client.history.map(({ type }) => type)')).toEqual(
      expect.arrayContaining(['message', 'tool_call']),
    )
    const id = await ask<string>('client.session.id')
    await ask(`client.sendFeedback({ score: 1, comment: 'Quick.' })`)
    await disconnect()
    expect(await ended(id)).toMatchObject({ feedback: { score: 1, comment: 'Quick.' }, input_mode: 'automatic' })
  })

  test('a page that streams speech without an Agent plays all of its audio, with the time of each word', async () => {
    const { body } = await api.post('/v1/tts/stream-tokens')
    const text = 'Your parcel has arrived at the shop.'
    const request = { apiOrigin: platform.urls[0], token: body.token, voiceId: (await api.voice()).id, text }
    const { words, begunMs, endedMs, queuedMs, end } = await ask<{
      words: string[]
      begunMs: number
      endedMs: number
      queuedMs: number
      end: object
    }>(`page.speak(${JSON.stringify(request)})`)
    expect(words.join(' ')).toBe(text.replace('.', ''))
    expect(begunMs).toBeLessThan(endedMs)
    // The last samples are still on their way through the sound card.
    expect(queuedMs - endedMs).toBeLessThan(500)
    expect(end).toMatchObject({
      type: 'done',
      charactersBilled: text.length,
      audioDurationMs: expect.closeTo(queuedMs, 0),
    })
  })

  test('over a WebSocket, where UDP does not pass, the audio of Agent and user is transmitted', async () => {
    await playGreeting('websocket')
    await disconnect()
    const { id } = await connect({ inputMode: 'automatic' })
    await ask('page.until(() => page.framesSent() >= 50 || undefined)')
    await disconnect()
    expect(await microphonesOn()).toBe(0)
    expect(await ended(id)).toMatchObject({ transport: 'websocket', end_reason: 'user_disconnected' })
  })

  test('the end of a session by the service is reported once, and the microphone is off', async () => {
    await make(listener, `fetch('/token/${listener}').then((it) => it.text()).then((it) => (page.token = it))`)
    const { id } = await connect({ inputMode: 'automatic' })
    expect(await microphonesOn()).toBe(1)
    const used = await ask<string>('page.token')
    expect(
      (await createApi(platform.urls[0], `Bearer ${used}`).delete(`/v1/agents/${listener}/sessions/${id}`)).status,
    ).toBe(204)
    expect(await next('disconnected')).toEqual({ reason: 'user_disconnected', code: null, detail: expect.any(String) })
    expect(await microphonesOn()).toBe(0)
    await disconnect()
    expect(await ask('page.count("disconnected")')).toBe(0)
    expect(await ask('client.session')).toBeNull()
    await make(listener, `'${used}'`)
    expect(await connect()).toMatchObject({ code: 'session_token_used' })
  })

  // What drives Firefox cannot take its microphone away.
  testInChromium('the loss of the microphone is reported, and the session continues in text', async () => {
    await make(listener)
    await connect({ inputMode: 'automatic' })
    // Taking the permission back takes the device away.
    await allowMicrophone('denied')
    expect(await next('error')).toMatchObject({ code: 'microphone_lost' })
    expect(await microphonesOn()).toBe(0)
    await ask(`client.sendText('What is two plus two?')`)
    await next('transcript', { role: 'agent', text: 'That is 4.', final: true })
    await disconnect()
    await allowMicrophone('granted')
  })

  test('a session survives a network outage, and a hidden tab', () => survived)

  test.each(['webrtc', 'websocket'])(
    'an Agent goes on speaking within 2 s, and receives what the user says, when its path over %s is cut and the browser has another',
    async (transport) => {
      const moving = await browser.newContext()
      const other = await moving.newPage()
      const tcp = await openTcpPath(Number(new URL(platform.urls[0]).port))
      const media = await routeMedia(other)
      try {
        await other.goto(pages.url)
        await other.evaluate(makeClient(traveler, undefined, transport).replace(platform.urls[0], tcp.url))
        const { id } = await other.evaluate<{ id: string }>(
          `page.ownTrack().then((microphone) => page.connect({ inputMode: 'automatic', microphone }))`,
        )
        await other.evaluate('page.until(() => client.getOutputLevel() > 0.05 || undefined)')
        await other.evaluate('page.lips.length = 0')
        media.cut()
        tcp.cut()
        await changeNetwork(moving)
        await other.evaluate(`page.next('connectionState', 'reconnecting')`)
        await other.evaluate(`page.next('connectionState', 'connected')`)
        await other.evaluate(`page.next('transcript', { text: '${journey}', final: true })`)
        const silenceMs = await longestSilenceMs(other)
        process.stderr.write(`silence while ${transport} was opened over another path: ${Math.round(silenceMs)} ms\n`)
        expect(silenceMs).toBeLessThan(2_000)
        await other.evaluate(`page.say('${(await spokenWav(['What time is it?'])).toString('base64')}')`)
        await other.evaluate(`page.next('userSpeaking', true)`)
        expect(await other.evaluate('client.session.id')).toBe(id)
        await other.evaluate('client.disconnect()')
        expect(await ended(id)).toMatchObject({ end_reason: 'user_disconnected' })
      } finally {
        await moving.close()
        media.close()
        tcp.close()
      }
    },
  )

  test('the React hook opens one session in strict mode, in the trace of the page, calls the latest callbacks, and hangs up when it unmounts', async () => {
    await ask('page.reset()')
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
    const mount = (callback: string) =>
      ask(`page.mount({ agentId: '${listener}', apiOrigin: '${platform.urls[0]}', traceparent: () => '${traceparent}',
        sessionToken: () => fetch('/token/${listener}').then((it) => it.text()) }, '${callback}')`)
    await mount('first')
    await page.waitForSelector('text=connected false idle none')
    expect(await ask('page.traceparent()')).toBe(traceparent)
    expect(await ask('page.asked()')).toEqual({ sessions: 1, microphones: expect.any(Number) })
    expect(await microphonesOn()).toBe(1)
    await mount('second')
    await ask(`parlance.sendText('What is two plus six?')`)
    await page.waitForSelector('text=connected true')
    await page.waitForSelector('text=connected false')
    expect(await page.locator('main').innerText()).toMatch(/What is two plus six\?\s+That is 8\.$/)
    expect(await ask('page.finalTranscripts')).toEqual(['second: What is two plus six?', 'second: That is 8.'])
    const renders = await ask('page.renders()')
    await ask('new Promise((resolve) => setTimeout(resolve, 100))')
    expect(await ask('page.renders()')).toBe(renders)
    const id = await ask<string>('parlance.session.id')
    await ask('page.unmount()')
    expect(await microphonesOn()).toBe(0)
    expect(await ended(id)).toMatchObject({ end_reason: 'user_disconnected' })
    expect(await ask('page.asked()')).toMatchObject({ sessions: 1 })
  })

  test('a reader of the documentation talks with the Agent that the operator has named', async () => {
    const agentId = await publishAgent(api, {
      voice: await api.voice(),
      session_config: { public: { enabled: true, origins: [platform.urls[0]], daily_credit: '5' } },
    })
    const documentation = await context.newPage()
    documentation.on('pageerror', (error) => problems.push(error.message))
    await documentation.route('**/docs/agent.json', (route) => route.fulfill({ json: { agent_id: agentId } }))
    await documentation.goto(`${platform.urls[0]}/docs/`)
    await documentation.getByRole('button', { name: 'Talk to the assistant' }).click()
    const panel = documentation.getByRole('dialog', { name: 'Talk with an Agent' })
    await panel.getByRole('textbox').fill('What is twelve plus thirty?')
    await panel.getByRole('textbox').press('Enter')
    await panel.getByText('That is 42.').waitFor()
    await documentation.close()
  })

  test('a visitor of a page with the widget agrees, writes, talks and hangs up, by keyboard and in the language of the page', async () => {
    const shop = await context.newPage()
    shop.on('pageerror', (error) => problems.push(error.message))
    await shop.goto(`${pages.url}/shop`)
    const agentId = await publishAgent(api, {
      voice: await api.voice(),
      session_config: { public: { enabled: true, origins: [pages.url], daily_credit: '5' } },
    })
    await openWidget(shop, platform.urls[0], `agent-id="${agentId}" consent="We keep what you say."`)
    const open = shop.getByRole('button', { name: 'Talk to the assistant' })
    await open.press('Enter')
    const panel = shop.getByRole('dialog', { name: 'Assistant' })
    await panel.getByText('We keep what you say.').waitFor()
    expect(await widgetFaultsOf(shop)).toEqual([])
    await shop.keyboard.press('Escape')
    expect(await panel.isVisible()).toBe(false)
    expect(await open.evaluate((button) => button.matches(':focus'))).toBe(true)
    await shop.keyboard.press('Enter')
    await shop.keyboard.press('Enter')

    const message = panel.getByRole('textbox', { name: 'Write a message' })
    await message.fill('What is twelve plus thirty?')
    await message.press('Enter')
    const log = panel.getByRole('log')
    await log.getByText('That is 42.').waitFor()
    expect(await panel.getByRole('button', { name: 'Mute' }).count()).toBe(0)
    expect(await widgetFaultsOf(shop)).toEqual([])
    const written = (await api.get(`/v1/agent-sessions?agent_id=${agentId}`)).body.sessions[0]
    await panel.getByRole('button', { name: 'Hang up' }).click()
    await panel.getByText('The conversation has ended.').waitFor()
    expect(await ended(written.id)).toMatchObject({ end_reason: 'user_disconnected' })

    await panel.getByRole('button', { name: 'Start talking' }).click()
    const mute = panel.getByRole('button', { name: 'Mute the microphone' })
    await mute.click()
    await panel.getByRole('button', { name: 'Mute the microphone', pressed: true }).waitFor()
    await shop.evaluate(`document.querySelector('parlance-agent').setAttribute('language', 'de')`)
    await shop.getByRole('button', { name: 'Mikrofon stummschalten' }).waitFor()
    // The microphone can be muted while the widget still connects.
    const spoken = await eventually(
      async () => (await api.get(`/v1/agent-sessions?agent_id=${agentId}&status=active`)).body.sessions[0],
    )
    await shop.evaluate(`document.querySelector('parlance-agent').remove()`)
    expect(await ended(spoken.id)).toMatchObject({ end_reason: 'user_disconnected', input_mode: 'automatic' })

    // The agreement is remembered, and an origin that the Agent does not allow is refused with a sentence for the visitor.
    const unwanted = await publishAgent(api, { voice: await api.voice() })
    await openWidget(shop, platform.urls[0], `agent-id="${unwanted}" language="fr"`)
    await shop.getByRole('button', { name: 'Parler à l’assistant' }).click()
    await shop.getByRole('button', { name: 'Commencer à parler' }).click()
    await shop.getByRole('alert').getByText('La connexion a échoué').waitFor()
    await shop.close()
  })

  test('a page hangs up at once when the user leaves it', async () => {
    await make(listener)
    const { id } = await connect({ inputMode: 'automatic' })
    await page.goto(`${pages.url}/`)
    expect(await ended(id)).toMatchObject({ end_reason: 'user_disconnected' })
  })

  test('a service that is drained sends `ending` before it hangs up', async () => {
    await make(listener)
    await connect({ inputMode: 'automatic' })
    const stopped = platform.stop()
    expect(await next('ending')).toMatchObject({ reason: 'drained' })
    expect(await next('disconnected')).toMatchObject({ reason: 'drained', code: null })
    expect(await microphonesOn()).toBe(0)
    await stopped
  })

  /** Plays the greeting until the lips match the audio, which takes a busy machine several tries. Resolves with its id. */
  const playGreeting = async (transport: string, tries = 3): Promise<string> => {
    await make(storyteller, undefined, transport)
    await connect({ microphone: false })
    const speech = await next<{ id: string }>('alignment')
    await next('agentSpeaking', true)
    await next('agentSpeaking', false)
    const lips = await ask<(MouthFrame & { speechId?: string })[]>('page.lips')
    const lagMs = mouthLagMs(lips.filter(({ speechId }) => speechId === speech.id))
    if (lagMs <= 60) return speech.id
    await disconnect()
    if (tries === 1) throw new Error(`The mouth is ${lagMs} ms off`)
    return playGreeting(transport, tries - 1)
  }
})
