/** The packages that integrators install, as `npm run pack` makes them. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { describeWithPrograms } from '@parlance/testing'
import { launchFirefox, launchHeadlessShell, testedBrowser } from '@parlance/testing/browser'
import { type BuildOptions, build } from 'esbuild'
import type { Browser, Page } from 'playwright-core'
import { faultsOf } from './page-faults.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const packages = ['client', 'react', 'avatar']
const run = promisify(execFile)
/** Rejects with the output of the program. */
const check = (program: string, ...options: string[]) =>
  run(process.execPath, [join(root, program), ...options], { cwd: project }).catch(({ stdout, stderr }) => {
    throw new Error(`${stdout}${stderr}`)
  })

let folder: string
let tarballs: Map<string, string>
/** A project with only these packages and their dependencies. */
let project: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parlance-packages-'))
  project = join(folder, 'project')
  await run(process.execPath, [join(root, 'scripts/pack.mjs'), '--out', folder])
  tarballs = new Map(packages.map((name) => [name, join(folder, `${name}.tgz`)]))
  for (const [name, tarball] of tarballs) {
    const target = join(project, 'node_modules/@parlance', name)
    await mkdir(target, { recursive: true })
    await run('tar', ['-xzf', tarball, '-C', target, '--strip-components=1'])
  }
  for (const name of ['react', 'react-dom', 'scheduler', '@types/react', 'csstype', 'three', '@types/three']) {
    const target = join(project, 'node_modules', name)
    await mkdir(dirname(target), { recursive: true })
    await symlink(join(root, 'node_modules', name), target)
  }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('an empty project that has installed them compiles, with types', async () => {
  await writeFile(join(project, 'package.json'), '{ "type": "module" }')
  await writeFile(
    join(project, 'page.ts'),
    `import { createAvatar } from '@parlance/avatar'
     import { createParlanceClient, ParlanceError, type Session } from '@parlance/client'
     import { createSpeechClient } from '@parlance/client/speech'
     import { createScriptedConnection } from '@parlance/client/testing'
     import { Conversation, ParlanceProvider, useAudioLevel, useMessages, useParlance } from '@parlance/react'
     import { AvatarView } from '@parlance/react/avatar'
     const client = createParlanceClient({ agentId: '', sessionToken: async () => 'x' })
     const session: Promise<Session> = client.connect({ inputMode: 'automatic' })
     client.on('disconnected', ({ reason }: { reason: string }) => reason)
     // @ts-expect-error: there is no such event
     client.on('nothing', () => {})
     export const Talk = () => useParlance({ agentId: '', sessionToken: () => 'x' }).transcript[0]?.text
     export const code: (error: ParlanceError) => string = ({ code }) => code
     export const level = useAudioLevel
     export const messages: readonly { text: string }[] = useMessages()
     export const parts = { AvatarView, Conversation, ParlanceProvider }
     export const show = createAvatar
     client.registerTool('go', {
       parameters: { type: 'object', properties: { page: { type: 'string' } }, required: ['page'] },
       run: ({ page }) => page.length,
     })
     export const tested = createParlanceClient({ agentId: '', sessionToken: () => 'x', transport: createScriptedConnection() })
     export const ended = createSpeechClient({ streamToken: () => 'x' }).speak({ text: '', voiceId: '' }).ended
     export { session }`,
  )
  for (const resolution of [
    ['--module', 'esnext', '--moduleResolution', 'bundler'],
    ['--module', 'nodenext', '--moduleResolution', 'nodenext'],
  ]) {
    const options = ['--strict', '--noEmit', '--lib', 'es2023,dom', '--target', 'es2023', '--types', '', ...resolution]
    await check('node_modules/typescript/bin/tsc', ...options, join(project, 'page.ts'))
  }
})

const bundled = async (source: string, options: BuildOptions = {}) => {
  const { outputFiles, metafile } = await build({
    stdin: { contents: source, resolveDir: project, loader: 'jsx' },
    bundle: true,
    minify: true,
    metafile: true,
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    format: 'esm',
    write: false,
    outdir: 'page',
    ...options,
  })
  const textOf = (extension: string) => outputFiles!.find(({ path }) => path.endsWith(extension))?.text ?? ''
  return { script: textOf('.js'), style: textOf('.css'), inputs: Object.keys(metafile!.inputs) }
}
const gzipped = (text: string) => gzipSync(text, { level: 9 }).length

test('the client adds at most 12 kB to a page, and unused parts of it add nothing', async () => {
  const whole = await bundled(`export * from '@parlance/client'`)
  expect(gzipped(whole.script)).toBeLessThan(12_000)
  const part = await bundled(`export { ParlanceError } from '@parlance/client'`)
  expect(part.script.length).toBeLessThan(1_000)
})

test('the React parts add at most 25 kB to a page that has React and the client, and never the renderer of avatars', async () => {
  const external = ['react', 'react/jsx-runtime', '@parlance/client']
  const parts = await bundled(`export * from '@parlance/react'; import '@parlance/react/styles.css'`, { external })
  expect(gzipped(parts.script) + gzipped(parts.style)).toBeLessThan(25_000)
  expect(parts.inputs.filter((path) => /three|parlance\/avatar/.test(path))).toEqual([])
})

describeWithPrograms([testedBrowser], 'the React parts in a browser', () => {
  let browser: Browser
  let page: Page
  let code: Awaited<ReturnType<typeof bundled>>
  const problems: string[] = []

  beforeAll(async () => {
    code = await bundled(
      `
      import { createScriptedConnection } from '@parlance/client/testing'
      import {
        Composer, Conversation, DeviceMenu, MicButton, Orb, ParlanceProvider, Transcript, useParlance, Waveform,
      } from '@parlance/react'
      import { AvatarView } from '@parlance/react/avatar'
      import { StrictMode } from 'react'
      import { createRoot } from 'react-dom/client'
      import '@parlance/react/styles.css'
      globalThis.connection = createScriptedConnection()
      const root = createRoot(document.querySelector('main'))
      const render = (child) => root.render(
        <StrictMode>
          <ParlanceProvider
            agentId="0b1cf5c4-6c39-4b3e-9f6c-2f4d5a0c7a11"
            apiOrigin="https://voice.example.com"
            sessionToken={() => 'awst_x'}
            transport={connection}
          >
            {child}
          </ParlanceProvider>
        </StrictMode>,
      )
      globalThis.show = (props) => render(<Conversation title="Museum guide" {...props} />)
      const Parts = () => {
        const { connect } = useParlance()
        return (
          <>
            <button onClick={() => connect({ inputMode: 'push-to-talk' })}>Connect</button>
            <Orb />
            <Waveform />
            <AvatarView fallback={<p>No avatar</p>} />
            <Transcript />
            <MicButton mode="toggle" />
            <DeviceMenu />
            <Composer />
          </>
        )
      }
      globalThis.showParts = () => render(<Parts />)
      globalThis.leave = () => root.unmount()`,
      { format: 'iife' },
    )
    browser = await (testedBrowser === 'firefox' ? launchFirefox() : launchHeadlessShell('--disable-gpu'))
  })
  afterAll(() => browser?.close())
  beforeEach(async () => {
    page = await browser.newPage({ viewport: { width: 390, height: 700 }, reducedMotion: 'reduce' })
    page.on('pageerror', ({ message }) => problems.push(message))
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
    await page.setContent(`<!doctype html><html lang="en" style="color-scheme: light dark"><title>Parts</title>
      <body style="margin: 0; background: Canvas"><h1 style="margin: 0">Parts</h1><main style="height: 600px"></main>`)
    await page.addStyleTag({ content: code.style })
    await page.addScriptTag({ content: code.script })
  })
  afterEach(async () => {
    await page.close()
    expect(problems.splice(0)).toEqual([])
  })

  const show = (props: object = {}) => page.evaluate(`show(${JSON.stringify(props)})`)
  const emit = (event: object) => page.evaluate(`connection.emit(${JSON.stringify(event)})`)
  const next = (event: string) => page.evaluate<object>(`connection.next('${event}')`)
  const sent = () => page.evaluate<string[]>(`connection.sent.map(({ event }) => event)`)
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const hasFocus = (name: string) =>
    page.waitForFunction(
      `(document.activeElement.ariaLabel ?? document.activeElement.textContent) === ${JSON.stringify(name)}`,
    )
  const say = (id: number, role: string, text: string) =>
    emit({ event: 'transcript', id: String(id), role, text, final: true })

  test('a person with a keyboard starts one conversation, types, mutes, and hangs up', async () => {
    await show()
    await button('Start talking').focus()
    await page.keyboard.press('Enter')
    await page.getByText('Listening').waitFor()
    await hasFocus('Hang up')
    await page.getByRole('textbox').fill(' Hello ')
    await page.keyboard.press('Enter')
    expect(await next('text.send')).toMatchObject({ text: 'Hello' })
    expect(await page.getByRole('textbox').inputValue()).toBe('')
    await button('Mute the microphone').press('Space')
    expect(await next('mute')).toMatchObject({ muted: true })
    await page.getByText('Your microphone is muted').waitFor()
    expect(await button('Mute the microphone').getAttribute('aria-pressed')).toBe('true')
    await button('Hang up').press('Enter')
    await page.getByText('The conversation is over').waitFor()
    await hasFocus('Start talking')
    expect(await page.evaluate('connection.sessions.length')).toBe(1)
    expect(await page.evaluate('connection.microphones.map(({ isOn }) => isOn)')).toEqual([false])
  })

  test('with push-to-talk, what is said while the button is held is sent, and Escape discards it', async () => {
    await show({ inputMode: 'push-to-talk' })
    await button('Start talking').click()
    await hasFocus('Hold to speak')
    await page.keyboard.down('Space')
    await button('Release to send').waitFor()
    await page.keyboard.up('Space')
    await button('Hold to speak').hover()
    await page.mouse.down()
    await button('Release to send').waitFor()
    await page.mouse.move(5, 5)
    await page.mouse.up()
    await button('Hold to speak').waitFor()
    await page.keyboard.down('Enter')
    await page.keyboard.press('Escape')
    await page.keyboard.up('Enter')
    // As a screen reader clicks.
    for (const name of ['Hold to speak', 'Release to send']) await button(name).evaluate((it) => it.click())
    const [start, commit, cancel] = ['ptt.start', 'ptt.commit', 'ptt.cancel']
    const turns = (await sent()).filter((event) => event.startsWith('ptt.'))
    expect(turns).toEqual([start, commit, start, commit, start, cancel, start, commit])
    await page.evaluate('leave()')
    expect(await page.evaluate('connection.sessions[0].isClosed')).toBe(true)
  })

  test('each part works alone, by keyboard', async () => {
    await page.evaluate('showParts()')
    const message = page.getByRole('textbox', { name: 'Message' })
    expect(await message.isDisabled()).toBe(true)
    await button('Connect').press('Enter')
    await button('Speak').press('Enter')
    await button('Send what I said').press('Space')
    await button('Speak').waitFor()
    expect((await sent()).filter((event) => event.startsWith('ptt.'))).toEqual(['ptt.start', 'ptt.commit'])
    await message.fill('Hello')
    await message.press('Enter')
    expect(await next('text.send')).toMatchObject({ text: 'Hello' })
    await say(1, 'agent', 'Good morning')
    await page.getByRole('log').getByText('Good morning').waitFor()
    await emit({ event: 'agent.state', state: 'speaking' })
    await page.locator('.parlance-orb[data-state=speaking]').waitFor()
    expect(await page.locator('.parlance-waveform span').count()).toBe(31)
    await page.getByText('No avatar').waitFor()
    await button('Microphone and speaker').press('Enter')
    const volume = page.getByRole('slider', { name: 'Volume' })
    await volume.press('ArrowLeft')
    expect(await volume.inputValue()).toBe('0.95')
    await volume.press('Escape')
    await hasFocus('Microphone and speaker')
  })

  test('the transcript follows the conversation, unless the person has scrolled back', async () => {
    await show({ textOnly: true })
    await button('Start').click()
    await page.waitForFunction(`document.activeElement.ariaLabel === 'Message'`)
    const log = page.getByRole('log')
    const endOf = () => log.evaluate((it) => Math.round(it.scrollHeight - it.clientHeight - it.scrollTop))
    for (let id = 1; id <= 20; id++) await say(id, id % 2 ? 'agent' : 'user', `Message ${id}`)
    await page.getByText('Message 20').waitFor()
    expect(await endOf()).toBe(0)
    const scrolled = log.evaluate(
      (it) => new Promise((resolve) => it.addEventListener('scroll', resolve, { once: true })),
    )
    await log.evaluate((it) => it.scrollTo(0, 0))
    await scrolled
    await say(21, 'agent', 'Message 21')
    await page.getByText('Message 21').waitFor({ state: 'attached' })
    expect(await log.evaluate((it) => it.scrollTop)).toBe(0)
  })

  test('has no serious fault for people with assistive technology, light and dark', async () => {
    await show()
    await button('Start talking').click()
    await say(1, 'agent', 'Hello')
    await say(2, 'user', 'Hello, Agent')
    await emit({ event: 'agent.state', state: 'thinking' })
    await page.getByText('Thinking').waitFor()
    await button('Microphone and speaker').click()
    await page.getByRole('slider', { name: 'Volume' }).waitFor()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await faultsOf(page)).toEqual([])
    }
    await page.getByRole('slider').press('Escape')
    await hasFocus('Microphone and speaker')
    expect(await page.getByRole('slider').count()).toBe(0)
  })
})
