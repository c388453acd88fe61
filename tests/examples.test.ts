/**
 * The examples as a new user runs them: from a folder outside the repository, by the command of their README, with the packages that
 * the platform serves, in a real browser.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Voice } from '@parlance/contracts'
import { describeWithPrograms, findBinary, freePort } from '@parlance/testing'
import { launchBrowser } from '@parlance/testing/browser'
import type { Browser, Page } from 'playwright-core'
import { createApi } from './api.js'
import { readDocument } from './documents.js'
import { eventually } from './eventually.js'
import { newKey, startTogether, type TestPlatform } from './platforms.js'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The command of each example in the table of the README. */
const commands = new Map(
  [...readFileSync(join(root, 'examples/README.md'), 'utf8').matchAll(/^\| ([a-z-]+) \| .* \| `(.+)` \|$/gm)].map(
    ([, name, command]) => [name, command!],
  ),
)

/** What an integrator reads and writes, without the configuration of tools. */
const linesOf = (example: string, files: readonly string[]): number =>
  files
    .map((file) => readFileSync(join(root, 'examples', example, file), 'utf8').split('\n').length - 1)
    .reduce((sum, lines) => sum + lines)

test.each([
  ['plain-page', ['index.html', 'serve.mjs']],
  ['express', ['server.mjs', 'public/index.html', 'public/page.js']],
  ['vite-react', ['index.html', 'vite.config.js', 'src/main.tsx']],
  ['next', ['app/layout.tsx', 'app/page.tsx', 'app/talk.tsx', 'app/session-token/route.ts']],
  ['fastapi', ['main.py']],
])('the example %s has fewer than 100 lines', (example, files) => {
  expect(linesOf(example, files)).toBeLessThan(100)
})

describeWithPrograms(['chromium', 'flite'], 'the examples', () => {
  let platform: TestPlatform
  let environment: Record<string, string>
  let authorization: string
  let browser: Browser
  let folder: string
  const problems: string[] = []
  const running = new Set<ChildProcess>()

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'parlance-examples-'))
    // What was installed by hand stays behind.
    const isSource = (path: string) => !/[/\\](node_modules|\.next|\.venv)$/.test(path)
    cpSync(join(root, 'examples'), folder, { recursive: true, filter: isSource })
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
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  })
  afterEach(async () => {
    const ended = [...running].map((child) => once(child, 'close'))
    // npm does not forward signals to the processes that it started.
    for (const child of running) process.kill(-child.pid!, 'SIGKILL')
    await Promise.all(ended)
    expect(problems.splice(0)).toEqual([])
  })

  const run = (example: string, command: string, more: Record<string, string> = {}) => {
    const { NODE_ENV: _, ...inherited } = process.env
    const child = spawn(command, {
      shell: true,
      cwd: join(folder, example),
      env: { ...inherited, NEXT_TELEMETRY_DISABLED: '1', ...environment, ...more },
      stdio: 'pipe',
      detached: true,
    })
    running.add(child)
    const result = { child, output: '', ended: once(child, 'close') as Promise<[number | null]> }
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (text) => {
        result.output += text
      })
    }
    child.once('close', () => running.delete(child))
    return result
  }

  /** Resolves to the address of an example once it serves its page. */
  const start = async (example: string): Promise<string> => {
    const port = String(await freePort())
    const url = `http://127.0.0.1:${port}`
    const started = run(example, commands.get(example)!, { PORT: port })
    let hasEnded = false
    started.ended.then(() => {
      hasEnded = true
    })
    // Packages are installed meanwhile.
    for (;;) {
      if (hasEnded) throw new Error(`${example} did not start: ${started.output}`)
      const answers = await fetch(url).then(
        ({ ok }) => ok,
        () => false,
      )
      if (answers) return url
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }

  const open = async (url: string): Promise<Page> => {
    const page = await browser.newPage()
    page.on('pageerror', (error) => problems.push(error.message))
    await page.goto(url)
    return page
  }

  /** One conversation on the page, whichever the page is: greeted, answered, hung up. */
  const talk = async (
    page: Page,
    start: string,
    over: string,
    look = async () => {},
    greeting = 'Hello! Ask me anything, or just say hi.',
  ) => {
    await page.getByRole('button', { name: start, exact: true }).click()
    await page.getByText(greeting).waitFor()
    await page.getByRole('textbox').fill('What is two plus three?')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('What is two plus three?').waitFor()
    await page.getByText('That is 5.').waitFor()
    await look()
    await page.getByRole('button', { name: 'Hang up' }).click()
    await page.getByText(over).waitFor()
  }

  /** The same in the widget, whose field starts a conversation by text alone. */
  const talkInWidget = async (page: Page) => {
    await page.getByRole('button', { name: 'Talk to the assistant' }).click()
    const panel = page.getByRole('dialog', { name: 'Guide' })
    await panel.getByRole('textbox').fill('What is two plus three?')
    await panel.getByRole('button', { name: 'Send' }).click()
    await panel.getByText('That is 5.').waitFor()
    await panel.getByRole('button', { name: 'Hang up' }).click()
    await panel.getByText('The conversation has ended.').waitFor()
  }

  test('an example says what to do when there is no Parlance, or no key', async () => {
    const nowhere = run('express', 'npm --silent start', { PARLANCE_URL: 'http://127.0.0.1:1' })
    expect(await nowhere.ended).toEqual([1, null])
    expect(nowhere.output).toBe(
      'Parlance does not answer at http://127.0.0.1:1. Start it with "npm start" in its folder, or set PARLANCE_URL.\n',
    )
    const { PARLANCE_API_KEY: _, ...withoutKey } = environment
    environment = withoutKey as typeof environment
    const keyless = run('express', 'npm --silent start')
    environment = { ...environment, PARLANCE_API_KEY: authorization.slice('Bearer '.length) }
    expect(await keyless.ended).toEqual([1, null])
    expect(keyless.output).toBe(
      'Set PARLANCE_API_KEY to a key of your workspace: the dashboard creates one under "API keys".\n',
    )
    expect(existsSync(join(folder, 'express/node_modules'))).toBe(false)
  })

  test('a plain page talks by the widget alone, without a backend', async () => {
    const page = await open(await start('plain-page'))
    await talkInWidget(page)
    await page.close()
  })

  test('a page without a framework talks with an Agent, and its backend with Express reports that it cannot get a token', async () => {
    const url = await start('express')
    const page = await open(url)
    await talk(page, 'Talk', 'Not connected')
    await page.close()
    const api = createApi(platform.urls[0], authorization)
    const [agent] = (await api.get('/v1/agents?slug=example-guide')).body.agents
    const english = (await api.get('/v1/voices?language=en')).body.voices as Voice[]
    expect(english.map(({ id }) => id)).toContain(agent.voice_id)
    expect((await api.post(`/v1/agents/${agent.id}/publish?dry_run=true`)).body.warnings).toEqual([])
    const [session] = await eventually(async () => {
      const { body } = await api.get('/v1/agent-sessions')
      return body.sessions[0]?.status === 'active' ? undefined : body.sessions
    })
    expect(session).toMatchObject({
      status: 'ended',
      end_reason: 'user_disconnected',
      transport: 'webrtc',
      input_mode: 'automatic',
    })
    await api.delete(`/v1/agents/${agent.id}`)
    const response = await fetch(`${url}/session-token`, { method: 'POST' })
    expect(response.status).toBe(502)
    expect(await response.json()).toEqual({ error: expect.stringContaining('Agent') })
  })

  test('a page with Vite and React talks on a phone, shows the avatar of its Agent and the level of the microphone, and mutes it', async () => {
    const page = await open(await start('vite-react'))
    const types = run('vite-react', `"${process.execPath}" "${join(root, 'node_modules/typescript/bin/tsc')}" -p .`)
    expect({ code: (await types.ended)[0], output: types.output }).toEqual({ code: 0, output: '' })
    await page.setViewportSize({ width: 390, height: 844 })
    await talk(page, 'Type instead', 'The conversation is over', async () => {
      await page.locator('[data-load=ready] canvas').waitFor()
      const face = page.getByRole('img', { name: 'The Agent' })
      for (const element of [face, page.getByRole('log'), page.getByRole('textbox'), page.getByText('That is 5.')]) {
        const { x, y, width, height } = (await element.boundingBox())!
        expect(Math.min(x, y)).toBeGreaterThanOrEqual(0)
        expect(x + width).toBeLessThanOrEqual(390)
        expect(y + height).toBeLessThanOrEqual(844)
        expect(height).toBeGreaterThan(20)
      }
    })

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
  })

  test('a page with Next.js talks', async () => {
    const page = await open(await start('next'))
    const types = run('next', `"${process.execPath}" node_modules/typescript/bin/tsc -p .`)
    expect({ code: (await types.ended)[0], output: types.output }).toEqual({ code: 0, output: '' })
    await talk(page, 'Type instead', 'The conversation is over')
    await page.close()
  })

  const testWithPython = findBinary('python3') === undefined ? test.skip : test
  testWithPython('a backend with FastAPI mints tokens for the widget', async () => {
    const page = await open(await start('fastapi'))
    await talkInWidget(page)
    await page.close()
  })

  test('from an empty folder, with an empty cache of npm, the quick start leads to a page that talks: by the widget alone, and in React', async () => {
    const [make, widget, react] = [...readDocument('docs/talk-on-a-page.md').matchAll(/^```sh\n(.*?)^```$/gms)].map(
      ([, commands]) => commands!,
    )
    const port = String(await freePort())
    const { PARLANCE_URL: url, PARLANCE_API_KEY: key } = environment
    const typed = [make, widget, 'read\n', react, 'wait\n']
      .join('')
      .replace('URL=http://127.0.0.1:8080 KEY=YOUR_KEY', `URL=${url} KEY=${key}`)
      .replaceAll('5173', port)
    mkdirSync(join(folder, 'empty'))
    writeFileSync(join(folder, 'typed.sh'), typed)
    const shell = run('empty', `exec bash -e ${join(folder, 'typed.sh')}`, {
      npm_config_cache: join(folder, 'npm-cache'),
    })
    const served = (content: string) =>
      eventually(async () => {
        if (shell.child.exitCode !== null) throw new Error(shell.output)
        const text = await fetch(`http://localhost:${port}`).then(
          (response) => response.text(),
          () => '',
        )
        return text.includes(content) || undefined
      })
    await served('parlance-agent')
    const page = await open(`http://localhost:${port}`)
    await talkInWidget(page)
    shell.child.stdin!.write('\n')
    await served('main.jsx')
    await talk(page, 'Type instead', 'The conversation is over', undefined, 'Hello! How can I help?')
    await page.close()
  })
})
