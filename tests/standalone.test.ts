import { execFile, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { describeWithPrograms, freePort, startStandalone } from '@parlance/testing'
import { createApi } from './api.js'
import { programsOf, root, testedCommands } from './documents.js'

const shell = (script: string, folder: string) =>
  execFileSync('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder, encoding: 'utf8', stdio: 'pipe' })

const commandsOf = (document: string): string => testedCommands(document).join('\n')

/** The folder of the test is not an npm project, so `npx parlance` and `parlance` get the path of the program. */
const commandLine = `parlance() { ${process.execPath} ${join(root, 'cli/bin/parlance.mjs')} "$@"; }
npx() { "$@"; }
`

/** Resolves to what commands print that take a while, beside others. */
const shellBeside = async (script: string, folder: string): Promise<string> =>
  (await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', commandLine + script], { cwd: folder })).stdout

/** Follows the link of the first Owner, as a browser would. Resolves to the `Cookie` header that the browser has then. */
const signIn = async (link: string): Promise<string> => {
  const response = await fetch(link, { redirect: 'manual' })
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ')
}
const ownerLinkIn = (printed: string): string => /^ {2}Owner {2}(\S+)/m.exec(printed)![1]!

/** This process's descendants at the moment: pids. */
const descendants = (pid: number): number[] => {
  const children = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number) as [number, number])
  const below = (parent: number): number[] =>
    children.filter(([, ppid]) => ppid === parent).flatMap(([child]) => [child, ...below(child)])
  return below(pid)
}

const alive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

describeWithPrograms(['ffmpeg'], 'all of Parlance on one machine', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-standalone-'))
    await chmod(folder, 0o755)
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('the first start prints a key once and a command that speaks; the commands of the documentation work; a link signs the Owner in once; Ctrl-C leaves no process', async () => {
    const port = await freePort()
    const first = startStandalone(folder, port)
    const { printed } = await first.serving

    const file = join(folder, '.parlance/dev.json')
    const dev = JSON.parse(await readFile(file, 'utf8'))
    expect(dev).toEqual({
      url: `http://127.0.0.1:${port}`,
      api_key: expect.stringMatching(/^awp_dev_[0-9A-Za-z]{38}$/),
      workspace_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(printed).toContain(dev.api_key)
    const advice = 'Get started in the dashboard, or run npx parlance setup.'
    expect(printed).toContain(`\nMissing: a natural voice, a recognizer, a language model. ${advice}\n`)

    shell(/^ {2}curl[\s\S]*?--output \S+$/m.exec(printed)![0], folder)
    expect(
      Number(shell('ffprobe -v error -show_entries format=duration -of csv=p=0 hello.mp3', folder)),
    ).toBeGreaterThan(1)

    shell(commandsOf('README.md'), folder)
    expect(
      Number(shell('ffprobe -v error -show_entries format=duration -of csv=p=0 hello.wav', folder)),
    ).toBeGreaterThan(0.5)
    await rm(join(folder, 'hello.wav'))
    // Those of further pages use the variables of the first one.
    await writeFile(join(folder, 'manual.pdf'), '%PDF-1.4')
    const pages = [
      ...['docs/call-the-api.md', 'docs/knowledge.md', 'docs/listen.md', 'docs/recordings.md', 'docs/webhooks.md'],
      ...['docs/openai-realtime.md', 'docs/stream-speech.md'],
    ]
    await writeFile(join(folder, 'speak.mjs'), programsOf('docs/stream-speech.md')[0]!.text)
    // Where the package `ws` is found.
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
    shell("ffmpeg -v error -i hello.mp3 -af 'pan=stereo|c0=c0|c1=c0,adelay=0|2000' -c:a libopus recording.ogg", folder)
    const given = `${commandLine}export SDL_AUDIODRIVER=dummy\n`
    const answers = shell(given + pages.map(commandsOf).join('\n'), folder)
    expect(answers).toContain('"audio_base64"')
    expect(answers).toContain('event: done')
    expect(answers).toContain('"first_message":"Welcome! How can I help?"')
    expect(answers).toMatch(/"version":1,"revision":\{[^}]*"version":2\}/)
    // The voice speaks the language that the Agent recognizes.
    expect(answers).toContain('{"publishable":true,"api_ready":true,"problems":[],"warnings":[]}')
    expect(answers).toContain('"llm_provider":"openai","llm_model":"gpt-4o-mini"')
    expect(answers).toMatch(/"value":"ek_\w+"/)
    expect(answers).toMatch(/"version":2,"revision":\{[^}]*"version":3\}/)
    expect(answers).toMatch(/"token":"awst_\w+".*"token":"awtt_\w+".*"unit":"credit".*"key":"tts"/s)
    expect(answers).toMatch(
      /"status":"indexing".*"token":"\w+".*"token":"awst_\w+".*"secret":"whsec_.*"token":"awtt_\w+"/s,
    )
    expect(
      Number(shell('ffprobe -v error -show_entries format=duration -of csv=p=0 hello.wav', folder)),
    ).toBeGreaterThan(0.5)

    expect(answers).toContain('voice to voice')
    expect(answers).toMatch(/The first sound came after \d+ ms, \d+ ms in all\.$/m)
    expect((await stat(join(folder, 'speech.pcm'))).size).toBeGreaterThan(48_000)

    await writeFile(join(folder, 'changes.json'), '{ "llm_provider": "builtin", "llm_model": "rules" }')
    await writeFile(
      join(folder, 'front-desk.yaml'),
      'agent: front-desk\nscenarios: [{ name: Greets, turns: [{ expect: { words: welcome } }] }]\n',
    )
    const withKey = (document: string) =>
      testedCommands(document).map((block) =>
        block.replaceAll('https://speech.example.com', dev.url).replaceAll('awp_prd_...', dev.api_key),
      )
    // tests/examples.test.ts installs the package.
    const [, ofProfile] = withKey('cli/README.md')
    const [checks, udp, idle] = withKey('docs/doctor.md')
    const udpPort = String(await freePort())
    const [answer, probe] = udp!
      .replaceAll('40000', udpPort)
      .replace('media.example.com', '127.0.0.1')
      .split(/ *#.*\n?/)
    const [operations, findings, network, ofAgents] = await Promise.all([
      shellBeside(commandsOf('docs/operate.md'), folder),
      shellBeside(`${checks}\n${commandsOf('docs/secure.md')}`, folder),
      // What answers opens its port a moment later.
      shellBeside(`${answer} & until ${probe}; do :; done; wait\n${idle!.replace('300', '1')}`, folder),
      shellBeside(`(export XDG_CONFIG_HOME=$PWD/config\n${ofProfile})\n${commandsOf('docs/agent-tests.md')}`, folder),
    ])
    expect(operations).toContain('Granted 50.')
    expect(operations).toMatch(/^Nothing differs/m)
    expect(findings).toMatch(/^ok +engines/m)
    expect(network).toContain(`STUN requests arrived at UDP port ${udpPort} and were answered`)
    expect(network).toContain('stayed open for 1 s')
    expect(await readFile(join(folder, 'users.conf'), 'utf8')).toMatch(/nkey/)
    expect(ofAgents).toMatch(/Greets/)
    expect(await readFile(join(folder, 'report.xml'), 'utf8')).toMatch(/tests="5" failures="0"/)

    const link = ownerLinkIn(printed)
    const cookie = await signIn(link)
    const signedIn = await fetch(`${dev.url}/dashboard/api/signed-in`, { headers: { cookie } })
    expect(await signedIn.json()).toMatchObject({ workspaces: [{ id: dev.workspace_id, role: 'owner' }] })
    expect(await signIn(link)).toBe('')

    const started = descendants(first.child.pid!)
    expect(started.length).toBeGreaterThanOrEqual(2)
    expect(await first.stop()).toMatchObject({ code: 0 })
    expect(started.filter(alive)).toEqual([])

    const wyomingPort = await freePort()
    const wyoming = commandsOf('docs/wyoming.md')
      .replace('10300', String(wyomingPort))
      .replace('0.0.0.0', '127.0.0.1')
      .replace('awp_…', dev.api_key)
    const settings = Object.fromEntries([...wyoming.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value]))
    const second = startStandalone(folder, port, { LLM_OPENAI_API_KEY: 'sk-test', ...settings })
    const { printed: again } = await second.serving
    expect(again).toContain(`\nMissing: a natural voice, a recognizer. ${advice}\n`)
    expect(again).not.toContain(dev.api_key)
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(dev)
    shell(/^ {2}curl[\s\S]*?--output \S+$/m.exec(again)![0], folder)
    expect(ownerLinkIn(again)).not.toBe(link)
    expect(await signIn(ownerLinkIn(again))).not.toBe('')
    const assistant = connect(wyomingPort, '127.0.0.1')
    assistant.write('{"type":"describe"}\n')
    const [described] = await once(createInterface(assistant), 'line')
    expect(JSON.parse(described)).toMatchObject({ type: 'info' })
    assistant.destroy()
    await second.stop()
  })

  test('a port in use is reported in one line', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as { port: number }
    const { code, errors } = await startStandalone(folder, port).ended
    taken.close()
    expect(code).toBe(1)
    expect(errors.trim().split('\n')).toEqual([expect.stringMatching(new RegExp(`${port} is in use.*PORT=`))])
  })

  test('a data folder that cannot be used is reported in one line', async () => {
    const broken = await mkdtemp(join(tmpdir(), 'parlance-broken-'))
    await chmod(broken, 0o755)
    shell(
      'mkdir -p .parlance/postgres/data && echo 9.6 > .parlance/postgres/data/PG_VERSION && chmod -R a+rX .parlance',
      broken,
    )
    const { code, errors } = await startStandalone(broken, await freePort()).ended
    await rm(broken, { recursive: true, force: true })
    expect(code).toBe(1)
    expect(errors.trim().split('\n')).toEqual([expect.stringContaining('9.6')])
  })
})

describeWithPrograms(['flite'], 'a machine with flite', () => {
  test('has its voices without an engines file', async () => {
    const own = await mkdtemp(join(tmpdir(), 'parlance-flite-'))
    await chmod(own, 0o755)
    const running = startStandalone(own, await freePort())
    const { url, headers } = await running.serving
    const { body } = await createApi(url, headers.authorization).get('/v1/voices?language=en')
    const variants = body.voices.flatMap(({ variants }: { variants: { id: string }[] }) => variants.map(({ id }) => id))
    expect(variants.filter((id: string) => id === 'flite').length).toBeGreaterThanOrEqual(4)
    await running.stop()
    await rm(own, { recursive: true, force: true })
  })
})
