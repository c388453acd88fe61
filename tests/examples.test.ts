/**
 * The examples as a new user runs them: from a folder outside the repository, by the command of their README, with the packages that
 * the platform serves, in a real browser.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Voice } from '@parlance/contracts'
import { describeWithPrograms, findBinary, freePort, startLocalServer } from '@parlance/testing'
import { launchBrowser } from '@parlance/testing/browser'
import { build, transform } from 'esbuild'
import type { Browser, Page } from 'playwright-core'
import { snippetsOf } from '../web/dashboard/src/agents/integrate/snippets.js'
import { createApi } from './api.js'
import { codeBlocksOf, programsOf, suitesOfPrograms, testedCommands } from './documents.js'
import { eventually } from './eventually.js'
import { newKey, startTogether, type TestPlatform } from './platforms.js'
import { publishAgent } from './publish-agent.js'

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

  const newPage = async (): Promise<Page> => {
    const page = await browser.newPage()
    page.setDefaultTimeout(60_000)
    return page
  }
  const open = async (url: string): Promise<Page> => {
    const page = await newPage()
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
  const talkInWidget = async (page: Page, name = 'Guide') => {
    await page.getByRole('button', { name: 'Talk to the assistant' }).click()
    const panel = page.getByRole('dialog', { name })
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
    // The beep of once a second is not captured any more; what was captured before may come late.
    const loudest = () =>
      page.evaluate<number>(`(async () => {
        let loudest = 0
        for (const until = performance.now() + 1500; performance.now() < until; ) {
          loudest = Math.max(loudest, ${level})
          await new Promise(requestAnimationFrame)
        }
        return loudest
      })()`)
    await eventually(async () => ((await loudest()) === 0 ? true : undefined))
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

  const webhookSecret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`

  const atPlatform = (text: string) => text.replaceAll(/https:\/\/(voice|speech)\.example\.com/g, platform.urls[0])

  /** Writes the programs of documents, which have the address and the ids of this platform then, beside what runs them. */
  const writePrograms = async (project: string, agentId: string) => {
    const voice = await createApi(platform.urls[0], authorization).voice()
    const slug = `front-desk-${randomUUID().slice(0, 8)}`
    const localized = (text: string) =>
      atPlatform(text)
        .replaceAll('front-desk', slug)
        .replaceAll('0b1cf5c4-6c39-4b3e-9f6c-2f4d5a0c7a11', agentId)
        .replaceAll(/\b[0-9a-f]{32}\b/g, voice.id)
    for (const [document, suite] of Object.entries(suitesOfPrograms)) {
      if (suite !== 'tests/examples.test.ts') continue
      for (const { name, text, extension } of programsOf(document)) {
        const file = join(project, name)
        writeFileSync(`${file}.${extension}`, localized(text))
        if (extension === 'ts') writeFileSync(`${file}.mjs`, (await transform(localized(text), { loader: 'ts' })).code)
      }
    }
    for (const name of ['node.mjs', 'page.jsx', 'programs.py'])
      writeFileSync(join(project, name), localized(readFileSync(join(root, 'tests/documented', name), 'utf8')))
    const blocks = codeBlocksOf('docs/widget.md')
    const joined = (of: string) =>
      blocks.flatMap(({ language, text }) => (language === of ? [localized(text)] : [])).join('\n')
    return { html: joined('html'), css: joined('css') }
  }

  const testWithPython = findBinary('python3') === undefined ? test.skip : test
  /** Runs the code of an endpoint, and resolves to a token of it. */
  const tokenOf = async (example: string, command: string, port: number): Promise<string> => {
    const endpoint = run(example, command)
    const response = await eventually(() => {
      if (endpoint.child.exitCode !== null) throw new Error(endpoint.output)
      return fetch(`http://127.0.0.1:${port}/api/voice-token`, { method: 'POST' }).catch(() => undefined)
    })
    return response.text()
  }

  testWithPython(
    'a backend with FastAPI mints tokens for the widget, as that of the Integrate tab does; programs of the documentation run',
    async () => {
      const page = await open(await start('fastapi'))
      await talkInWidget(page)
      await page.close()
      const api = createApi(platform.urls[0], authorization)
      const agentId = (await api.get('/v1/agents?slug=example-guide')).body.agents[0].id
      const { code } = snippetsOf({ agentId, origin: platform.urls[0], isPublic: false }).python!
      writeFileSync(join(folder, 'fastapi/snippet.py'), code)
      const port = await freePort()
      expect(await tokenOf('fastapi', `exec .venv/bin/uvicorn --port ${port} snippet:app`, port)).toMatch(/^awst_/)

      // The command of the example has run it.
      expect(testedCommands('docs/server-python.md').map(atPlatform)).toEqual([
        `pip install ${platform.urls[0]}/packages/python.tgz`,
      ])
      await writePrograms(join(folder, 'fastapi'), agentId)
      const programs = run('fastapi', '.venv/bin/python programs.py', { WEBHOOK_SECRET: webhookSecret })
      expect({ code: (await programs.ended)[0], output: programs.output }).toEqual({
        code: 0,
        output: expect.stringMatching(/^12\.5$[\s\S]*All programs in Python have run\./m),
      })
    },
  )

  testWithPython(
    'the commands of the documentation install packages, of which the command line lists Agents',
    async () => {
      const api = createApi(platform.urls[0], authorization)
      const agentId = await publishAgent(api, { voice: await api.voice(), llm_model: 'rules' })
      const { slug } = (await api.get(`/v1/agents/${agentId}`)).body
      const commands = [...testedCommands('docs/packages.md'), testedCommands('cli/README.md')[0]!]
      const packages = join(folder, 'packages')
      mkdirSync(packages)
      writeFileSync(join(packages, 'typed.sh'), ['python3 -m venv .venv', ...commands.map(atPlatform)].join('\n'))
      const shell = run('packages', 'bash -e typed.sh', {
        PATH: `${packages}/.venv/bin:${packages}/global/bin:${process.env.PATH}`,
        npm_config_prefix: join(packages, 'global'),
        XDG_CONFIG_HOME: packages,
      })
      const [code] = await shell.ended
      expect({ code, output: shell.output }).toEqual({ code: 0, output: expect.stringContaining(slug) })
      expect(existsSync(join(packages, 'node_modules/@parlance/client'))).toBe(true)
    },
  )

  /** Resolves to a folder in which the packages are installed, by the commands of the Integrate tab. */
  const installPackages = async (): Promise<string> => {
    const snippets = snippetsOf({ agentId: '', origin: platform.urls[0], isPublic: false })
    const installs = ['react', 'javascript', 'node'].map((name) => snippets[name]!.install!)
    installs.push(...testedCommands('docs/server-node.md').map(atPlatform))
    const packages = new Set(installs.flatMap((command) => command.split(' ').slice(2)))
    packages.add(`${platform.urls[0]}/packages/avatar.tgz`)
    const project = join(folder, 'project')
    mkdirSync(project)
    writeFileSync(join(project, 'package.json'), '{ "type": "module" }')
    const npm = run(
      'project',
      `npm install --prefer-offline --no-audit --no-fund react react-dom ${[...packages].join(' ')}`,
    )
    expect({ code: (await npm.ended)[0], output: npm.output }).toMatchObject({ code: 0 })
    return project
  }
  let installed: Promise<string> | undefined
  const openProject = () => {
    installed ??= installPackages()
    return installed
  }

  test('the code of the Integrate tab talks with its Agent: the tag, React and JavaScript, with tokens by Node, curl and no backend', async () => {
    const api = createApi(platform.urls[0], authorization)
    const [pagePort, nodePort] = [await freePort(), await freePort()]
    const agentId = await publishAgent(api, {
      voice: await api.voice(),
      llm_model: 'rules',
      first_message: 'Hello! Ask me anything, or just say hi.',
      session_config: {
        public: { enabled: true, origins: [`http://localhost:${pagePort}`], daily_credit: '1' },
      },
    })
    const facts = { agentId, origin: platform.urls[0] }
    const [snippets, withoutBackend] = [
      snippetsOf({ ...facts, isPublic: false }),
      snippetsOf({ ...facts, isPublic: true }),
    ]
    const project = await openProject()

    const curl = run('project', snippets.curl!.code)
    expect((await curl.ended)[0]).toBe(0)
    expect(curl.output).toContain('"token":"awst_')

    writeFileSync(join(project, 'node.js'), snippets.node!.code.replace('3000', String(nodePort)))
    writeFileSync(join(project, 'react.jsx'), snippets.react!.code)
    writeFileSync(join(project, 'javascript.js'), withoutBackend.javascript!.code)
    const { outputFiles } = await build({
      stdin: {
        contents: `import { createRoot } from 'react-dom/client'
          import { Talk } from './react.jsx'
          import './javascript.js'
          createRoot(document.querySelector('main')).render(<Talk />)`,
        resolveDir: project,
        loader: 'jsx',
      },
      ...{ bundle: true, write: false, outdir: project, jsx: 'automatic', target: 'es2022' },
      define: { 'process.env.NODE_ENV': '"production"' },
    })
    const [script, style] = ['.js', '.css'].map((suffix) => outputFiles.find(({ path }) => path.endsWith(suffix))!.text)
    const { close } = await startLocalServer(async (request, response) => {
      if (request.method === 'POST') return void response.end(await tokenOf('project', 'exec node node.js', nodePort))
      response.setHeader('content-type', 'text/html').end(`<!doctype html><title>Code</title><style>${style}</style>
        ${withoutBackend.tag!.code}<button id="talk">Connect</button><main></main>
        <script type="module">${script!.replaceAll('</script', '<\\/script')}</script>`)
    }, pagePort)
    const page = await open(`http://localhost:${pagePort}`)
    await talk(page, 'Type instead', 'The conversation is over')
    await talkInWidget(page, 'Assistant')
    const said = page.waitForEvent('console', (message) => message.text().startsWith('agent Hello!'))
    await page.getByRole('button', { name: 'Connect' }).click()
    await said
    await page.close()
    await close()
  })

  describe('the programs of the documentation', () => {
    let page: Page
    let url: string
    let close: () => Promise<void>

    beforeAll(async () => {
      const project = await openProject()
      const [pagePort, backendPort] = [await freePort(), await freePort()]
      const api = createApi(platform.urls[0], authorization)
      const agentId = await publishAgent(api, {
        ...{ voice: await api.voice(), llm_model: 'rules', first_message: 'Hello! Ask me anything, or just say hi.' },
        session_config: { public: { enabled: true, origins: [`http://localhost:${pagePort}`], daily_credit: '1' } },
      })
      const { html, css } = await writePrograms(project, agentId)
      const backend = join(project, 'docs-talk-on-a-page-md-0.mjs')
      writeFileSync(backend, readFileSync(backend, 'utf8').replace('3000', String(backendPort)))
      const { PARLANCE_URL: address, PARLANCE_API_KEY: key } = environment
      const command = `exec env URL=${address} KEY=${key} AGENT=${agentId} node ${backend}`
      const { outputFiles } = await build({
        entryPoints: [join(project, 'page.jsx')],
        ...{ bundle: true, write: false, outdir: project, jsx: 'automatic', format: 'esm', target: 'es2022' },
        define: { 'process.env.NODE_ENV': '"production"' },
        // Those of other publishers.
        nodePaths: [join(root, 'node_modules')],
      })
      const [script, style] = ['.js', '.css'].map(
        (suffix) => outputFiles.find(({ path }) => path.endsWith(suffix))!.text,
      )
      const server = await startLocalServer(async (request, response) => {
        const answer = async (): Promise<string> => {
          if (request.url === '/api/voice-token') return tokenOf('project', command, backendPort)
          if (request.url === '/api/stream-token') return (await api.post('/v1/tts/stream-tokens')).body.token
          if (request.url === '/api/listen-token') return JSON.stringify((await api.post('/v1/listen/tokens')).body)
          if (request.url === '/avatars') return JSON.stringify((await api.get('/v1/avatars')).body)
          if (request.url === '/widget') return `<!doctype html><title>Widget</title><style>${css}</style>${html}`
          if (request.url === '/page.js') return response.setHeader('content-type', 'text/javascript') && script!
          return `<!doctype html><title>Page</title><link rel="icon" href="data:,"><style>${style}</style>
            <button>Start</button><main style="height: 600px"></main><script type="module" src="/page.js"></script>`
        }
        const text = await answer()
        if (!response.hasHeader('content-type')) response.setHeader('content-type', 'text/html')
        response.end(text)
      }, pagePort)
      url = `http://localhost:${pagePort}`
      close = server.close
    })
    afterAll(() => close?.())
    afterEach(() => page?.close())

    const printed = (text: string | RegExp) =>
      page.waitForEvent('console', (message) =>
        typeof text === 'string' ? message.text() === text : text.test(message.text()),
      )
    const start = () => page.locator('body > button').click()

    test('for Node run: the library of servers, and a test of a page', async () => {
      const programs = run('project', 'node node.mjs', { WEBHOOK_SECRET: webhookSecret })
      expect({ code: (await programs.ended)[0], output: programs.output }).toEqual({
        code: 0,
        output: expect.stringMatching(/^12\.5$[\s\S]*All programs for Node have run\./m),
      })
    })

    test.each(['/client', '/client-readme'])('for a page run: the client, in %s', async (path) => {
      page = await open(url + path)
      const said = printed(/agent Hello!/)
      await start()
      await said
    })

    test('for a page run: the header of a trace, a tool with a schema, and push-to-talk', async () => {
      page = await newPage()
      const traced = printed('traceparent undefined')
      await page.goto(`${url}/traceparent`)
      await traced
      await page.goto(`${url}/tools`)
      await page.waitForURL(`${url}/cart`)
      await page.goto(`${url}/push-to-talk`)
      const sent = printed(/ptt\.start ptt\.commit$/)
      await start()
      await sent
    })

    test.each([
      ['/speech', /"event":"done"/],
      ['/listen', /"event":"ready"/],
    ])('for a page run: the socket of %s', async (path, event) => {
      page = await newPage()
      const received = page
        .waitForEvent('websocket')
        .then((socket) =>
          socket.waitForEvent('framereceived', ({ payload }) => typeof payload === 'string' && event.test(payload)),
        )
      await page.goto(url + path)
      await start()
      await received
    })

    test('for a page run: avatars', async () => {
      page = await newPage()
      for (const path of ['/avatar', '/avatar-readme']) {
        const isReady = printed(/^ready 1/)
        await page.goto(url + path)
        await isReady
      }
    })

    test('for a page run: the components of React', async () => {
      page = await open(`${url}/react`)
      await talk(page, 'Type instead', 'The conversation is over')
      await page.goto(`${url}/labels`)
      await page.getByRole('button', { name: 'Gespräch beginnen' }).waitFor()
      await page.goto(`${url}/react-readme`)
      await page.getByText('Museum guide').waitFor()
      await page.goto(`${url}/face`)
      await page.getByText('Museum guide').waitFor()
      await page.goto(`${url}/hook`)
      await page.getByRole('button', { name: 'Talk' }).click()
      await page.getByText('Hello! Ask me anything, or just say hi.').waitFor()
      await page.getByRole('button', { name: 'End' }).click()
      await page.getByRole('button', { name: 'Talk' }).waitFor()
    })

    test('for a page run: the widget', async () => {
      page = await open(`${url}/widget`)
      await talkInWidget(page, 'Front desk')
    })
  })

  test('from an empty folder, with an empty cache of npm, the quick start leads to a page that talks: by the widget alone, and in React', async () => {
    const [make, widget, react] = testedCommands('docs/talk-on-a-page.md').map((block) => `${block}\n`)
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
