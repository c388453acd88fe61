/**
 * A person and an Agent, over the page /talk in a real browser: a microphone that says what was recorded, real recognition,
 * a stand-in for the language model, real speech, and ears that measure.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SessionRecord, SessionServerEvent, Voice } from '@parlance/contracts'
import { describeWithPrograms } from '@parlance/testing'
import { launchBrowser } from '@parlance/testing/browser'
import type { Browser, Page } from 'playwright-core'
import {
  type ChatCompletionsStandIn,
  openChatCompletionsStandIn,
} from '../services/sessions/test/stand-ins/chat-completions-stand-in.js'
import { createApi } from './api.js'
import { eventually } from './eventually.js'
import { newKey, startTogether, type TestPlatform } from './platforms.js'
import { shareUnderstood } from './share-understood.js'
import { writeSpokenWav } from './spoken-wav.js'

const observer = fileURLToPath(new URL('talk-observer.js', import.meta.url))

type Observed<Name extends SessionServerEvent['event']> = Extract<SessionServerEvent, { event: Name }> & {
  atMs: number
}

const greeting = 'Hello! How can I help you?'
const story =
  'Once upon a time there was a small shop at the corner of a long street. Every morning its owner swept the floor, opened ' +
  'the door, and waited for the first guest of the day. Most days that was the baker, who came for his newspaper.'

/** About: the voice says some fifteen letters a second. */
const msPerLetter = 60

describeWithPrograms(['chromium', 'flite', 'pocketsphinx'], 'a conversation in a browser', () => {
  let platform: TestPlatform
  let model: ChatCompletionsStandIn
  let folder: string
  let browser: Browser
  let page: Page
  let api: ReturnType<typeof createApi>
  const problems: string[] = []

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-talk-'))
    model = await openChatCompletionsStandIn({ text: 'I see.' })
    platform = await startTogether({ LLM_COMPATIBLE_URL: model.baseUrl })
  }, 60_000)
  afterAll(async () => {
    await platform?.stop()
    await model?.close()
    await rm(folder, { recursive: true, force: true })
  }, 60_000)
  afterEach(async () => {
    await browser?.close()
    expect(problems.splice(0)).toEqual([])
  })

  const ask = <Value>(expression: string): Promise<Value> => page.evaluate(expression)
  const event = <Name extends SessionServerEvent['event']>(name: Name, fields: object = {}, afterMs = 0) =>
    ask<Observed<Name>>(`observed.event(${JSON.stringify({ event: name, ...fields })}, ${afterMs})`)
  const finals = async () =>
    (await ask<Observed<'transcript'>[]>(
      'observed.events.filter(({ event, final }) => event === "transcript" && final)',
    )) ?? []
  const text = (selector: string) => page.locator(selector).textContent()

  /** A browser whose microphone says this, the page with a new key, and a published Agent. */
  const open = async (said: readonly (string | number)[], agent: object = {}) => {
    const file = join(folder, `${Math.random().toString(36).slice(2)}.wav`)
    await writeSpokenWav(file, said)
    browser = await launchBrowser(
      ...['--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream'],
      `--use-file-for-fake-audio-capture=${file}%noloop`,
    )
    const { authorization } = await newKey(platform)
    api = createApi(platform.urls[0], authorization)
    const voice = await api.voice()
    const made = await api.post('/v1/agents', {
      slug: 'front-desk',
      display_name: 'Front desk',
      voice_id: voice.id,
      voice_config: { tts_variant: voice.variants[0]!.id },
      system_prompt: 'You are the front desk.',
      first_message: greeting,
      llm_provider: 'openai_compatible',
      llm_model: 'stand-in',
      ...agent,
    })
    expect(made.status).toBe(201)
    expect((await api.post(`/v1/agents/${made.body.id}/publish`)).status).toBe(201)

    page = await browser.newPage({ viewport: { width: 1280, height: 900 }, locale: 'en-US' })
    await page.addInitScript({ path: observer })
    page.on('pageerror', (error) => problems.push(error.message))
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) problems.push(message.text())
    })
    await page.goto(`${platform.urls[0]}/talk`)
    await page.fill('#key', authorization.slice('Bearer '.length))
    await page.click('#use-key')
    await page.waitForSelector('#start:enabled')
  }
  const box = async (selector: string) => (await page.locator(selector).boundingBox())!
  /** Whether all of it is on the screen, with the page not scrolled. */
  const isOnScreen = async (selector: string) => {
    const { x, y, width, height } = await box(selector)
    const screen = page.viewportSize()!
    expect(await ask<number>('scrollY')).toBe(0)
    return x >= 0 && y >= 0 && x + width <= screen.width && y + height <= screen.height
  }
  /** As browsers reject it. */
  const refuseMicrophone = (name: string) =>
    page.addInitScript(
      `MediaDevices.prototype.getUserMedia = () => Promise.reject(new DOMException('refused', '${name}'))`,
    )
  const start = async (mode: 'automatic' | 'push-to-talk' | 'text') => {
    await page.selectOption('#mode', mode)
    await page.click('#start')
    await page.waitForSelector('body[data-state=live]', { timeout: 20_000 })
  }
  /** Hangs up, and answers what was kept. */
  const hangUp = async (): Promise<SessionRecord> => {
    const { session_id } = await event('session.ready')
    await page.click('#hang-up')
    await page.waitForSelector('body[data-state=idle]')
    return eventually(async () => {
      const { body } = await api.get(`/v1/agent-sessions/${session_id}`)
      return body.status === 'ended' ? (body as SessionRecord) : undefined
    })
  }

  test('that is spoken: it is understood, answered in speech, interrupted, and kept as it was heard', async () => {
    const question = 'Please tell me a very long story.'
    const interruption = 'Please stop, and tell me the time.'
    model.script((said) => ({ text: /time/.test(said) ? 'It is noon.' : story, tokenMs: 15 }))
    await open([6_000, question, 5_500, interruption, 20_000], { first_message: null })
    await start('automatic')

    const asked = await event('transcript', { role: 'user', final: true })
    expect(shareUnderstood(question, asked.text)).toBeGreaterThanOrEqual(0.5)
    const thinking = await event('agent.state', { state: 'thinking' })
    const heardMs = await ask<number>(`observed.heard(${thinking.atMs})`)
    expect(await ask<number>(`observed.loudest(0, ${thinking.atMs})`)).toBeLessThan(0.01)
    expect(heardMs).toBeGreaterThan(thinking.atMs)

    const { id: interruptedId, text_heard, atMs } = await event('interruption')
    // What the browser's own jitter buffer still holds is heard; the rest of the story is not.
    const silentMs = await ask<number>(`observed.silence(${atMs}, 300)`)
    expect(story.startsWith(text_heard.trim())).toBe(true)
    const restMs = (story.length - text_heard.length) * msPerLetter
    expect(restMs).toBeGreaterThan(0)
    expect(silentMs - atMs).toBeLessThan(restMs / 3)

    const again = await event('transcript', { role: 'user', final: true }, atMs)
    expect(shareUnderstood(interruption, again.text)).toBeGreaterThanOrEqual(0.5)
    await event('transcript', { role: 'agent', final: true, text: 'It is noon.' })
    const metrics = await event('metrics', {}, atMs)
    expect(metrics.voice_to_voice_ms).toBeGreaterThan(0)
    const shown = {
      'voice-to-voice': 'voice_to_voice_ms',
      endpointing: 'endpointing_ms',
      recognition: 'stt_ms',
    } as const
    for (const [id, name] of Object.entries(shown)) {
      expect(await text(`#${id}`)).toBe(`${Math.round(metrics[name]!).toLocaleString('en')} ms`)
    }

    const record = await hangUp()
    expect(record.transcript.map(({ id, role, text, interrupted }) => ({ id, role, text, interrupted }))).toEqual(
      (await finals()).map(({ id, role, text, interrupted = false }) => ({ id, role, text, interrupted })),
    )
    expect(record.transcript.find(({ id }) => id === interruptedId)).toMatchObject({
      text: text_heard,
      interrupted: true,
    })
    expect(record).toMatchObject({ status: 'ended', end_reason: 'user_disconnected', transport: 'webrtc', error: null })
    expect(record.usage.stt_seconds).toBeGreaterThan(2)
    expect(record.usage.tts_characters).toBeGreaterThan(0)
    expect(Number(record.credit_used)).toBeGreaterThan(0)
    expect(record.latency?.voice_to_voice_ms.p50).toBeGreaterThan(0)
    expect(await ask<boolean>('observed.microphones.every(({ readyState }) => readyState === "ended")')).toBe(true)
  }, 90_000)

  test('with a button to hold: only what was said while it was held is heard', async () => {
    const question = 'What time does the shop open tomorrow?'
    model.script({ text: 'It opens at nine.' })
    await open([500, ...Array.from({ length: 12 }, () => [question, 1_000]).flat()])
    await start('push-to-talk')
    await event('transcript', { role: 'agent', final: true, text: greeting })
    expect((await finals()).filter(({ role }) => role === 'user')).toEqual([])
    await page.hover('#hold')
    await page.mouse.down()
    await page.waitForTimeout(6_000)
    await page.mouse.up()
    const asked = await event('transcript', { role: 'user', final: true })
    expect(shareUnderstood(question, asked.text)).toBeGreaterThanOrEqual(0.5)
    await event('transcript', { role: 'agent', final: true, text: 'It opens at nine.' })
    expect(model.lastPrompt().messages.at(-1)).toEqual({ role: 'user', text: asked.text })
    expect(await hangUp()).toMatchObject({ input_mode: 'push-to-talk', status: 'ended' })
  }, 90_000)

  test('that is typed never asks for the microphone, and is answered in speech', async () => {
    model.script({ text: 'We have two rooms left.' })
    await open([1_000])
    await start('text')
    await event('transcript', { role: 'agent', final: true, text: greeting })
    await page.fill('#say', 'Do you have a room?')
    await page.press('#say', 'Enter')
    const { atMs } = await event('transcript', { role: 'user', final: true, text: 'Do you have a room?' })
    expect(await ask<number>(`observed.heard(${atMs})`)).toBeGreaterThan(atMs)
    await event('transcript', { role: 'agent', final: true, text: 'We have two rooms left.' })
    expect(model.lastPrompt().system).toContain('You are the front desk.')
    expect(model.lastPrompt().messages.slice(-2)).toEqual([
      { role: 'assistant', text: greeting },
      { role: 'user', text: 'Do you have a room?' },
    ])
    expect(await ask<unknown[]>('observed.microphones')).toEqual([])
    expect(await text('#transcript')).toBe(`${greeting}Do you have a room?We have two rooms left.`)
    const record = await hangUp()
    expect(record.transcript.map(({ text }) => text)).toEqual([
      greeting,
      'Do you have a room?',
      'We have two rooms left.',
    ])
  }, 60_000)

  test('with the Space key: it talks while it is held, and hangs up neither early nor late', async () => {
    await open([1_000])
    await page.selectOption('#mode', 'push-to-talk')
    await page.focus('#start')
    await page.keyboard.press('Enter')
    // The key comes while the focus is on the button that hangs up.
    await page.waitForSelector('#hang-up:focus')
    await page.keyboard.press('Space')
    await page.waitForSelector('body[data-state=live]', { timeout: 20_000 })
    const sent = () =>
      ask<string[]>('observed.sent.map(({ event }) => event).filter((event) => event.startsWith("ptt."))')
    for (const focused of ['#hold', '#hang-up', '#interrupt']) {
      const before = (await sent()).length
      await page.focus(focused)
      await page.keyboard.down('Space')
      await page.waitForSelector('#hold.held')
      await page.keyboard.up('Space')
      await page.waitForSelector('#hold:not(.held)')
      expect((await sent()).slice(before)).toEqual(['ptt.start', 'ptt.commit'])
    }
    expect(await ask<string[]>('observed.sent.map(({ event }) => event)')).not.toContain('interrupt')
    await page.fill('#say', 'a')
    await page.press('#say', 'Space')
    expect(await page.inputValue('#say')).toBe('a ')
    expect(await page.getAttribute('body', 'data-state')).toBe('live')
    await hangUp()
  }, 60_000)

  test('a key that is released in another window ends the push to talk', async () => {
    await open([1_000])
    await start('push-to-talk')
    await page.keyboard.down('Space')
    await page.waitForSelector('#hold.held')
    await ask('dispatchEvent(new Event("blur"))')
    expect(await page.locator('#hold.held').count()).toBe(0)
    await hangUp()
  }, 60_000)

  test.each([
    ['NotAllowedError', /^The microphone is blocked\. Allow it/],
    ['NotFoundError', /^No microphone was found\. Connect one/],
    ['NotReadableError', /^The microphone cannot be used now\. Close other programs/],
  ])(
    'a microphone that answers %s has a text of its own beside the button, and one can type at once',
    async (name, detail) => {
      await open([1_000])
      await refuseMicrophone(name)
      await page.setViewportSize({ width: 1366, height: 650 })
      await page.reload()
      await page.waitForSelector('#start:enabled')
      await page.click('#start')
      await page.waitForSelector('#problem:not([hidden])')
      expect(await text('#problem')).toMatch(detail)
      expect(await text('#problem')).toContain('“Type only”')
      const [button, problem] = [await box('#start'), await box('#problem')]
      expect(problem.y - (button.y + button.height)).toBeLessThan(24)
      expect(await isOnScreen('#problem')).toBe(true)
      expect(await isOnScreen('#start')).toBe(true)
      await start('text')
      expect(await page.isHidden('#problem')).toBe(true)
      await hangUp()
    },
    60_000,
  )

  test.each([
    [1366, 650],
    [390, 844],
  ])(
    'at %d by %d what one needs next is on the screen without scrolling',
    async (width, height) => {
      await open([1_000])
      await page.setViewportSize({ width, height })
      for (const selector of ['#agent', '#mode', '#start', '#say', '#send']) {
        expect({ selector, isOnScreen: await isOnScreen(selector) }).toEqual({ selector, isOnScreen: true })
      }
      await start('push-to-talk')
      await event('transcript', { role: 'agent', final: true, text: greeting })
      for (const selector of ['#hang-up', '#hold', '#interrupt', '#say', '#send', '#transcript']) {
        expect({ selector, isOnScreen: await isOnScreen(selector) }).toEqual({ selector, isOnScreen: true })
      }
      const labels = ['#hang-up', '#hold', '#interrupt'].map((id) => `document.querySelector('${id}')`).join()
      expect(await ask<boolean>(`[${labels}].every((button) => button.scrollWidth <= button.clientWidth)`)).toBe(true)
      expect((await box('#transcript')).height).toBeGreaterThan(120)
      await hangUp()
    },
    60_000,
  )

  test('a first Agent is made where there is none, and on a phone nothing is wider than the screen', async () => {
    await open([1_000])
    const { body } = await api.get('/v1/agents')
    for (const { id } of body.agents) await api.delete(`/v1/agents/${id}`)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.reload()
    await page.click('#make-agent')
    await page.waitForSelector('#start:enabled')
    expect(await page.locator('#agent option').allTextContents()).toEqual(['First Agent'])
    const [agent] = (await api.get('/v1/agents')).body.agents
    const english = (await api.get('/v1/voices?language=en-US')).body.voices as Voice[]
    expect(english.map(({ id }) => id)).toContain(agent.voice_id)
    expect((await api.post(`/v1/agents/${agent.id}/publish?dry_run=true`)).body.warnings).toEqual([])
    await start('text')
    await page.fill('#say', 'What is twelve plus thirty?')
    await page.press('#say', 'Enter')
    await event('transcript', { role: 'agent', final: true, text: 'That is 42.' })
    expect(await ask<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
    await hangUp()
  }, 60_000)
})
