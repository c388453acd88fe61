/** The page that /talk leads to, in a real browser. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SessionRecord, SessionServerEvent } from '@parlance/contracts'
import { describeWithPrograms } from '@parlance/testing'
import { launchBrowser, launchHeadlessShell } from '@parlance/testing/browser'
import { type ChatCompletionsStandIn, startChatCompletionsStandIn } from '@parlance/testing/stand-ins'
import type { Browser, Page } from 'playwright-core'
import { checkDocumentedMessage } from '../services/gateway/test/documented.js'
import { createApi } from './api.js'
import { eventually } from './eventually.js'
import { newKey, startTogether, type TestPlatform } from './platforms.js'
import { spokenWav } from './spoken-wav.js'

const scriptAt = (name: string) => ({ path: fileURLToPath(new URL(name, import.meta.url)) })

export const greeting = 'Hello! How can I help you?'

type Observed<Name extends SessionServerEvent['event']> = Extract<SessionServerEvent, { event: Name }> & {
  atMs: number
}
type Api = ReturnType<typeof createApi>

export type TalkPage = ReturnType<typeof createTalkPage>

const createTalkPage = (page: Page, api: Api) => {
  const ask = <Value>(expression: string): Promise<Value> => page.evaluate(expression)
  const event = <Name extends SessionServerEvent['event']>(name: Name, fields: object = {}, afterMs = 0) =>
    ask<Observed<Name>>(`observed.event(${JSON.stringify({ event: name, ...fields })}, ${afterMs})`)
  const box = async (selector: string) => (await page.locator(selector).boundingBox())!
  return {
    page,
    api,
    /** The value of an expression in the page. */
    ask,
    /** Resolves to the first event with this name and these fields after `afterMs`, once it has arrived. */
    event,
    box,
    /** Plays this as the microphone, which must be one that a test plays: strings are spoken, numbers are pauses in ms. */
    say: async (...parts: readonly (string | number)[]): Promise<void> => {
      await ask(`microphone.say('${(await spokenWav(parts)).toString('base64')}')`)
    },
    finals: async () =>
      (await ask<Observed<'transcript'>[]>(
        'observed.events.filter(({ event, final }) => event === "transcript" && final)',
      )) ?? [],
    text: (selector: string) => page.locator(selector).textContent(),
    /** Whether the whole element is on the screen. The page must not be scrolled. */
    async isOnScreen(selector: string): Promise<boolean> {
      const { x, y, width, height } = await box(selector)
      const screen = page.viewportSize()!
      expect(await ask<number>('scrollY')).toBe(0)
      return x >= 0 && y >= 0 && x + width <= screen.width && y + height <= screen.height
    },
    /** From the next load on, the browser refuses the microphone with this error. */
    refuseMicrophone: (name: string) =>
      page.addInitScript(
        `MediaDevices.prototype.getUserMedia = () => Promise.reject(new DOMException('refused', '${name}'))`,
      ),
    async start(mode: 'automatic' | 'push-to-talk' | 'text'): Promise<void> {
      await page.selectOption('#mode', mode)
      await page.click('#start')
      await page.waitForSelector('#conversation[data-state=live]')
    },
    /** Hangs up and resolves to the record of the session. Every event of the data channel must be as documented. */
    async hangUp(): Promise<SessionRecord> {
      const { session_id } = await event('session.ready')
      await page.click('#hang-up')
      await page.waitForSelector('#conversation[data-state=idle]')
      const { events, sent } = await ask<Record<'events' | 'sent', { event: string }[]>>(
        '({ events: observed.events, sent: observed.sent })',
      )
      for (const one of events) checkDocumentedMessage('conversation', 'ToClient', one)
      for (const one of sent) checkDocumentedMessage('conversation', 'FromClient', one)
      return eventually(async () => {
        const { body } = await api.get(`/v1/agent-sessions/${session_id}`)
        return body.status === 'ended' ? (body as SessionRecord) : undefined
      })
    },
  }
}

const publishAgent = async (api: Api, fields: object): Promise<void> => {
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
    ...fields,
  })
  expect(made.status).toBe(201)
  expect((await api.post(`/v1/agents/${made.body.id}/publish`)).status).toBe(201)
}

export interface TalkSuite {
  readonly model: () => ChatCompletionsStandIn
  /** Opens the page with a new key and a published Agent with these fields. */
  readonly open: (agent?: object) => Promise<TalkPage>
}

/**
 * Describes tests of the page. A test fails when the page logs an error or a warning. The microphone is a silent device of the
 * browser, or the audio that a test plays with `say`.
 */
export const describeTalkPage = (
  name: string,
  microphone: 'silent' | 'played',
  suite: (talk: TalkSuite) => void,
): void =>
  describeWithPrograms(['chromium', 'flite', 'pocketsphinx'], name, () => {
    let platform: TestPlatform
    let model: ChatCompletionsStandIn
    let folder: string
    let browser: Browser
    const problems: string[] = []

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'parlance-talk-'))
      model = await startChatCompletionsStandIn({ text: 'I see.' })
      platform = await startTogether({ LLM_COMPATIBLE_URL: model.baseUrl, STT_PROVIDER: 'pocketsphinx' })
    })
    afterAll(async () => {
      await platform?.stop()
      await model?.close()
      await rm(folder, { recursive: true, force: true })
    })
    afterEach(async () => {
      await browser?.close()
      expect(problems.splice(0)).toEqual([])
    })

    const launchWithSilence = async (): Promise<Browser> => {
      const silence = join(folder, 'silence.wav')
      await writeFile(silence, await spokenWav([1_000]))
      return launchBrowser(
        ...['--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream'],
        `--use-file-for-fake-audio-capture=${silence}%noloop`,
      )
    }

    const open: TalkSuite['open'] = async (agent = {}) => {
      browser = microphone === 'played' ? await launchHeadlessShell() : await launchWithSilence()
      const { authorization } = await newKey(platform)
      const api = createApi(platform.urls[0], authorization)
      await publishAgent(api, agent)

      const page = await browser.newPage({
        viewport: { width: 1280, height: 900 },
        locale: 'en-US',
        reducedMotion: 'reduce',
      })
      if (microphone === 'played') await page.addInitScript(scriptAt('talk-microphone.js'))
      await page.addInitScript(scriptAt('talk-observer.js'))
      page.on('pageerror', (error) => problems.push(error.message))
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) problems.push(message.text())
      })
      await page.goto(`${platform.urls[0]}/talk`)
      await page.fill('#key', authorization.slice('Bearer '.length))
      await page.click('#use-key')
      await page.waitForSelector('#start:enabled')
      return createTalkPage(page, api)
    }
    suite({ model: () => model, open })
  })
