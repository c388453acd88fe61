/** The examples as a new user runs them: by one command each, against the real platform, in a real browser. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Voice } from '@parlance/contracts'
import { describeWithPrograms, freePort } from '@parlance/testing'
import { launchBrowser } from '@parlance/testing/browser'
import type { Browser, Page } from 'playwright-core'
import { createApi } from './api.js'
import { eventually } from './eventually.js'
import { newKey, startTogether, type TestPlatform } from './platforms.js'

const root = fileURLToPath(new URL('..', import.meta.url))

interface RunningExample {
  readonly url: string
  stop(): Promise<void>
}

describeWithPrograms(['chromium', 'flite'], 'the examples', () => {
  let platform: TestPlatform
  let environment: Record<string, string>
  let authorization: string
  let browser: Browser
  const problems: string[] = []
  const running = new Set<ChildProcess>()

  beforeAll(async () => {
    platform = await startTogether()
    authorization = (await newKey(platform)).authorization
    environment = { PARLANCE_URL: platform.urls[0], PARLANCE_API_KEY: authorization.slice('Bearer '.length) }
    browser = await launchBrowser(
      ...['--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream'],
      ...['--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
    )
  })
  afterAll(async () => {
    await browser?.close()
    await platform?.stop()
  })
  afterEach(() => {
    for (const child of running) process.kill(-child.pid!, 'SIGKILL')
    expect(problems.splice(0)).toEqual([])
  })

  const npm = (example: string, script: string, more: Record<string, string> = {}): ChildProcess => {
    const child = spawn('npm', ['run', '--silent', script, '--prefix', `examples/${example}`], {
      cwd: root,
      env: { ...process.env, ...environment, ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
      // npm does not forward signals to the processes that it started.
      detached: true,
    })
    running.add(child)
    child.once('close', () => running.delete(child))
    return child
  }

  const run = async (example: string, script: string): Promise<void> => {
    const child = npm(example, script)
    let output = ''
    child.stdout!.on('data', (text) => {
      output += text
    })
    child.stderr!.on('data', (text) => {
      output += text
    })
    const [code] = await once(child, 'close')
    expect({ script, code, output: code === 0 ? '' : output }).toEqual({ script, code: 0, output: '' })
  }

  const start = async (example: string): Promise<RunningExample> => {
    const url = `http://127.0.0.1:${await freePort()}`
    const child = npm(example, 'start', { PORT: new URL(url).port })
    const ended = once(child, 'close')
    let output = ''
    await new Promise<void>((resolve, reject) => {
      const listen = (text: Buffer) => {
        output += text
        if (output.includes(new URL(url).port)) resolve()
      }
      child.stdout!.on('data', listen)
      child.stderr!.on('data', listen)
      ended.then(() => reject(new Error(`${example} did not start: ${output}`)))
    })
    return {
      url,
      async stop() {
        process.kill(-child.pid!, 'SIGTERM')
        await ended
      },
    }
  }

  const open = async (url: string): Promise<Page> => {
    const page = await browser.newPage()
    page.on('pageerror', (error) => problems.push(error.message))
    await page.goto(url)
    return page
  }

  const greeting = 'Hello! Ask me anything, or just say hi.'
  /** One conversation on the page, whichever the page is: greeted, answered, hung up. */
  const talk = async (page: Page, start: string, over: string, look = async () => {}) => {
    await page.getByRole('button', { name: start }).click()
    await page.getByText(greeting).waitFor()
    await page.getByRole('textbox').fill('What is two plus three?')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('What is two plus three?').waitFor()
    await page.getByText('That is 5.').waitFor()
    await look()
    await page.getByRole('button', { name: 'Hang up' }).click()
    await page.getByText(over).waitFor()
  }

  test('the types of the backend come from the OpenAPI document', async () => {
    await run('token-backend', 'generate')
    await run('token-backend', 'typecheck')
  })

  test('a plain page talks with an Agent that its backend has made', async () => {
    const example = await start('token-backend')
    const page = await open(example.url)
    await page.getByRole('heading', { name: 'Talk with Guide' }).waitFor()
    await talk(page, 'Talk', 'Not connected')
    await page.close()
    const api = createApi(platform.urls[0], authorization)
    const [agent] = (await api.get('/v1/agents?slug=example-guide')).body.agents
    const english = (await api.get('/v1/voices?language=en')).body.voices as Voice[]
    expect(english.map(({ id }) => id)).toContain(agent.voice_id)
    expect((await api.post(`/v1/agents/${agent.id}/publish?dry_run=true`)).body.warnings).toEqual([])
    await example.stop()
    const [session] = await eventually(async () => {
      const { body } = await createApi(platform.urls[0], authorization).get('/v1/agent-sessions')
      return body.sessions[0]?.status === 'active' ? undefined : body.sessions
    })
    expect(session).toMatchObject({
      status: 'ended',
      end_reason: 'user_disconnected',
      transport: 'webrtc',
      input_mode: 'automatic',
    })
  })

  test('the backend reports to its page when it cannot get a token', async () => {
    const example = await start('token-backend')
    const { body } = await createApi(platform.urls[0], authorization).get('/v1/agents?slug=example-guide')
    await createApi(platform.urls[0], authorization).delete(`/v1/agents/${body.agents[0].id}`)
    const response = await fetch(`${example.url}/session-token`, { method: 'POST' })
    expect(response.status).toBe(502)
    expect(await response.json()).toEqual({ error: expect.stringContaining('Agent') })
    await example.stop()
  })

  test('a React app talks, and shows the avatar of its Agent', async () => {
    await run('react-app', 'typecheck')
    const example = await start('react-app')
    const page = await open(example.url)
    await talk(page, 'Type instead', 'The conversation is over', async () => {
      await page.locator('[data-load=ready] canvas').waitFor()
    })
    await page.close()
    await example.stop()
  })

  test('the React app on a phone keeps the face and the composer on the screen, and marks a reply that was interrupted', async () => {
    const example = await start('react-app')
    const page = await open(example.url)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: 'Type instead' }).click()
    await page.getByText('Hello!').waitFor()
    const say = async (text: string) => {
      await page.getByRole('textbox').fill(text)
      await page.getByRole('button', { name: 'Send' }).click()
    }
    // Speech is real time. On a busy machine a message may come after the reply that it is to interrupt.
    const interrupted = page.locator('p[data-role=agent]').getByText('Interrupted').first()
    for (let number = 1; !(await interrupted.isVisible()); number++) {
      await say(`What is ${number} plus thirty?`)
      await page.getByText(`That is ${number + 30}`).waitFor()
    }
    for (const number of [1, 2, 3, 4, 5, 6]) {
      await say(`What is ${number} plus twenty?`)
      await page.getByText(`That is ${number + 20}.`).waitFor()
    }
    const transcript = page.getByRole('log')
    expect(await transcript.evaluate((it) => it.scrollHeight > it.clientHeight)).toBe(true)
    const face = page.getByRole('img', { name: 'The Agent' })
    for (const element of [face, transcript, page.getByRole('textbox'), page.getByText('That is 26.')]) {
      const { x, y, width, height } = (await element.boundingBox())!
      expect(Math.min(x, y)).toBeGreaterThanOrEqual(0)
      expect(x + width).toBeLessThanOrEqual(390)
      expect(y + height).toBeLessThanOrEqual(844)
      expect(height).toBeGreaterThan(20)
    }
    await page.getByRole('button', { name: 'Hang up' }).click()
    await page.getByText('The conversation is over').waitFor()
    await page.close()
    await example.stop()
  })

  test('the React app shows the level of the microphone, and mutes it', async () => {
    const example = await start('react-app')
    const page = await open(example.url)
    const level = "Number(document.querySelector('.parlance-mic')?.style.getPropertyValue('--parlance-level'))"
    // Chromium's own microphone beeps once a second.
    const isLoud = () => page.waitForFunction(`${level} > 0`)
    await page.getByRole('button', { name: 'Start talking' }).click()
    const mute = page.getByRole('button', { name: 'Mute the microphone' })
    await isLoud()
    await mute.click()
    expect(await mute.getAttribute('aria-pressed')).toBe('true')
    await page.waitForFunction(`${level} === 0`)
    // What was captured before has been measured then.
    await page.waitForTimeout(300)
    const loudest = await page.evaluate<number>(`(async () => {
      let loudest = 0
      for (const until = performance.now() + 1500; performance.now() < until; ) {
        loudest = Math.max(loudest, ${level})
        await new Promise(requestAnimationFrame)
      }
      return loudest
    })()`)
    expect(loudest).toBe(0)
    await mute.click()
    await isLoud()
    await page.getByRole('button', { name: 'Hang up' }).click()
    await page.getByText('The conversation is over').waitFor()
    await page.close()
    await example.stop()
  })
})
