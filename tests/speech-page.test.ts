import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Voice } from '@parlance/contracts'
import { describeWithPrograms } from '@parlance/testing'
import { launchHeadlessShell } from '@parlance/testing/browser'
import type { Browser, Page, WebSocketRoute } from 'playwright-core'
import { createApi } from './api.js'
import { newKey, startTogether, type TestPlatform } from './platforms.js'

const observer = fileURLToPath(new URL('speech-observer.js', import.meta.url))

/** After a stop, sound ends within this time. */
const atOnceSeconds = 0.2

/** More than a server sends ahead of the listener. */
const longText = Array.from({ length: 60 }, (_, index) => `This is sentence number ${index + 1}.`).join(' ')

describeWithPrograms(['chromium'], 'the page that /play leads to', () => {
  let platform: TestPlatform
  let browser: Browser
  let page: Page
  let problems: string[]

  beforeAll(async () => {
    platform = await startTogether()
    browser = await launchHeadlessShell()
  })
  afterAll(async () => {
    await browser?.close()
    await platform?.stop()
  })

  beforeEach(async () => {
    problems = []
    page = await browser.newPage({ viewport: { width: 1280, height: 900 }, locale: 'en-US' })
    await page.addInitScript({ path: observer })
    page.on('pageerror', (error) => problems.push(error.message))
    page.on('console', (message) => {
      // A browser logs every response with an error status, also one that a test expects.
      const isAnswer = message.text().startsWith('Failed to load resource') && message.location().url.includes('/v1/')
      if (['error', 'warning'].includes(message.type()) && !isAnswer) problems.push(message.text())
    })
    await page.goto(`${platform.urls[0]}/play`)
  })
  afterEach(async () => {
    await page.context().close()
    expect(problems).toEqual([])
  })

  const state = (name: string) => page.waitForSelector(`#speech[data-state=${name}]`)
  const text = (selector: string) => page.locator(selector).textContent()

  const enterKey = async (key: string) => {
    await page.fill('#key', key)
    await page.click('#use-key')
  }
  const enterNewKey = async (options?: Parameters<typeof newKey>[1]): Promise<string> => {
    const { key } = await newKey(platform, options)
    await enterKey(key.key)
    await state('idle')
    return key.key
  }

  /** The value of an expression in the page. */
  const ask = <Value>(expression: string): Promise<Value> => page.evaluate(expression)
  const highlighted = () => ask<string[]>('observed.highlighted')
  /** What is stored, beside the positions to which the pages were scrolled. */
  const kept = () =>
    ask<string[]>(`[...Object.entries(sessionStorage), ...Object.entries(localStorage)]
      .filter(([name]) => !name.startsWith('tsr-scroll-restoration')).map(([, value]) => value)`)
  const untilAudible = () => ask('observed.untilAudible()')

  test('a text is spoken in the chosen voice, with its waveform, its words highlighted in order, and its figures', async () => {
    const sent: string[] = []
    page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => sent.push(String(payload))))
    await enterNewKey()
    const spoken = 'Good morning. These are some words for my dear friends.'
    await page.fill('#text', spoken)
    const pixelsBefore = await ask<number>('observed.waveformPixels()')
    await page.selectOption('#voice', { label: 'Clara · female, DE' })
    await page.click('#speak')
    await untilAudible()
    await state('done')
    expect(await ask('observed.waveformPixels()')).toBeGreaterThan(2 * pixelsBefore)
    // Late frames or late words may skip some words, but no word is highlighted twice or out of order.
    const words = await highlighted()
    expect(words.length).toBeGreaterThan(4)
    expect(spoken).toMatch(new RegExp(`${words.join('\\b.*\\b')}\\.$`))
    expect(JSON.parse(sent[0]!)).toMatchObject({
      voice_id: await page.inputValue('#voice'),
      tts_variant: await page.inputValue('#variant'),
    })
    expect(await text('#ttfa')).toMatch(/^[1-9][\d,]* ms$/)
    expect(Number.parseFloat((await text('#duration'))!)).toBeGreaterThan(0.5)
    expect(await text('#billed')).toBe(String(spoken.length))
    expect(await text('#status')).toContain(`${spoken.length} characters billed`)
  })

  test('it begins with a voice that speaks the language of the browser, and a sample in that language', async () => {
    const ofLocale = await browser.newPage({ locale: 'de-AT' })
    await ofLocale.goto(`${platform.urls[0]}/play`)
    const { key, authorization } = await newKey(platform)
    await ofLocale.fill('#key', key.key)
    await ofLocale.click('#use-key')
    await ofLocale.waitForSelector('#speech[data-state=idle]')
    const voices: Voice[] = (await createApi(platform.urls[0], authorization).get('/v1/voices?language=de')).body.voices
    expect(voices.map(({ id }) => id)).toContain(await ofLocale.inputValue('#voice'))
    expect(await ofLocale.inputValue('#text')).toMatch(/^Hallo!/)
    await ofLocale.close()
  })

  test('the sample follows the chosen voice until something else is typed', async () => {
    await enterNewKey()
    await page.selectOption('#voice', { label: 'Clara · female, DE' })
    expect(await page.inputValue('#text')).toMatch(/^Hallo!/)
    expect(await text('#count')).toMatch(/^\d\d\d of/)
    await page.fill('#text', 'Mine.')
    await page.selectOption('#voice', { label: 'Ada · female, US' })
    expect(await page.inputValue('#text')).toBe('Mine.')
  })

  test('stop silences at once, and shows the remaining text that the server reports', async () => {
    const cancelled = new Promise<{ text_spoken: string; text_remaining: string; characters_billed: number }>(
      (resolve) =>
        page.on('websocket', (socket) =>
          socket.on('framereceived', ({ payload }) => {
            if (typeof payload === 'string' && payload.startsWith('{"event":"cancelled"')) resolve(JSON.parse(payload))
          }),
        ),
    )
    await enterNewKey()
    await page.fill('#text', longText)
    await page.click('#speak')
    await ask('observed.untilHighlighted("number")')
    await page.click('#stop')
    expect(await ask('observed.secondsToSilence()')).toBeLessThan(atOnceSeconds)
    const { text_spoken, text_remaining, characters_billed } = await cancelled
    expect(text_spoken + text_remaining).toBe(longText)
    expect(text_spoken).toMatch(/^This is sentence/)
    expect(await text('#remaining')).toBe(text_remaining.trim())
    expect(await text('[data-part=spoken]')).toBe(text_spoken)
    expect(await text('#billed')).toBe(characters_billed.toLocaleString('en'))
    expect(characters_billed).toBeLessThan(longText.length)
  })

  test('it speaks again after a stop, over the same connection', async () => {
    let connections = 0
    page.on('websocket', () => {
      connections += 1
    })
    await enterNewKey()
    await page.fill('#text', longText)
    await page.click('#speak')
    await untilAudible()
    await page.click('#stop')
    await page.fill('#text', 'Only this.')
    await page.click('#speak')
    await state('done')
    expect((await highlighted()).at(-1)).toBe('this')
    expect(await text('#billed')).toBe('10')
    expect(connections).toBe(1)
  })

  test('the keyboard is enough', async () => {
    const { key } = await newKey(platform)
    await page.waitForSelector('#key:focus')
    await page.keyboard.type(key.key)
    await page.keyboard.press('Enter')
    await state('idle')
    await page.focus('#text')
    await page.keyboard.press('Control+A')
    await page.keyboard.insertText(longText)
    await page.keyboard.press('Control+Enter')
    await ask('observed.untilHighlighted("number")')
    await page.keyboard.press('Escape')
    await state('stopped')
    expect(await ask('observed.secondsToSilence()')).toBeLessThan(atOnceSeconds)
    await page.focus('#speak')
    await page.keyboard.press('Enter')
    await state('speaking')
    expect(await ask('document.activeElement.id')).toBe('stop')
  })

  test('an unknown key is reported beside its field and not stored', async () => {
    await enterKey('awp_dev_wrong')
    await page.waitForSelector('#key[aria-invalid=true]')
    expect(await text('#key-problem')).toContain('not known')
    expect(await kept()).toEqual([])
  })

  test('a key is stored only in the tab until it is removed', async () => {
    const key = await enterNewKey()
    await page.reload()
    await state('idle')
    expect(await kept()).toEqual([key])
    expect(await ask(`Object.values(sessionStorage).filter((value) => value.includes('awp_'))`)).toEqual([key])
    expect(page.url()).not.toContain('awp_')
    expect(await page.locator('body').innerHTML()).not.toContain(key)
    await page.click('#forget-key')
    await page.waitForSelector('#key-form')
    expect(await kept()).toEqual([])
  })

  test('without credit the page reports it and bills nothing', async () => {
    await enterNewKey({ credit: null })
    await page.setViewportSize({ width: 1366, height: 650 })
    await page.click('#speak')
    await state('error')
    // Beside the button, and on the screen without scrolling.
    const [button, problem] = await Promise.all(['#speak', '#problem'].map((id) => page.locator(id).boundingBox()))
    expect(problem!.y - (button!.y + button!.height)).toBeLessThan(24)
    expect(problem!.y + problem!.height).toBeLessThanOrEqual(650)
    expect(await ask('scrollY')).toBe(0)
    expect(await text('#problem')).toContain('no credit')
    expect(await text('#billed')).toBe('–')
  })

  test('a lost connection is reported, and the next speech opens another', async () => {
    const sockets: WebSocketRoute[] = []
    await page.routeWebSocket(/stream$/, (socket) => {
      socket.connectToServer()
      sockets.push(socket)
    })
    await enterNewKey()
    await page.fill('#text', longText)
    await page.click('#speak')
    await ask('observed.untilHighlighted("number")')
    await sockets[0]!.close()
    await state('error')
    expect(await text('#problem')).toContain('connection was lost')
    expect(await ask('observed.secondsToSilence()')).toBeLessThan(atOnceSeconds)
    await page.click('#speak')
    await untilAudible()
    expect(sockets).toHaveLength(2)
  })

  test('a text that is empty or too long cannot be spoken, and its length is shown', async () => {
    await enterNewKey()
    expect(await page.isEnabled('#speak')).toBe(true)
    await page.fill('#text', ' \n ')
    expect(await page.isDisabled('#speak')).toBe(true)
    await page.fill('#text', '🙂'.repeat(8_000))
    expect(await text('#count')).toBe('8,000 of 8,000 characters')
    expect(await page.isEnabled('#speak')).toBe(true)
    await page.fill('#text', 'a'.repeat(8_001))
    expect(await text('#count')).toBe('1 character too many; at most 8,000')
    expect(await page.isDisabled('#speak')).toBe(true)
  })

  test('the speech is saved as a file of the chosen format, and a preview costs no credit', async () => {
    await enterNewKey()
    const sent: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (pathname.startsWith('/v1/')) sent.push(`${request.method()} ${pathname}`)
    })
    await page.click('[aria-label="Play a preview"]')
    await page.waitForSelector('[aria-label="Stop the preview"]')
    expect(sent).toEqual([`GET /v1/voices/${await page.inputValue('#voice')}/preview`])
    await page.click('[aria-label="Stop the preview"]')
    const firstBytes = { wav: 'RIFF', opus: 'OggS' }
    for (const [format, bytes] of Object.entries(firstBytes)) {
      await page.selectOption('#format', format)
      const [saved] = await Promise.all([page.waitForEvent('download'), page.click('#save')])
      expect(saved.suggestedFilename()).toMatch(/^speech\.(wav|ogg)$/)
      expect(readFileSync(await saved.path(), 'latin1').slice(0, 4)).toBe(bytes)
    }
  })

  test('on a phone nothing is wider than the screen', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    const tooWide = () => ask('observed.tooWide()')
    expect(await tooWide()).toEqual([])
    await enterNewKey()
    await page.fill('#text', `${'antidisestablishmentarianism'.repeat(9)} and some words.`)
    expect(await tooWide()).toEqual([])
    await page.click('#speak')
    await untilAudible()
    expect(await tooWide()).toEqual([])
    await page.click('#stop')
    expect(await tooWide()).toEqual([])
  })
})
