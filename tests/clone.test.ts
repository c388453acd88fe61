/** The first steps of a new user: clone the repository, start it, start the examples beside it. */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '@parlance/testing'
import { codeBlocksOf, readDocument, root } from './documents.js'

const run = promisify(execFile)

const builtProjects = async (): Promise<string[]> => {
  const { references } = JSON.parse(await readFile(join(root, 'tsconfig.json'), 'utf8')) as {
    references: { path: string }[]
  }
  return references.map(({ path }) => path)
}

describe('a fresh clone', () => {
  let folder: string
  const running = new Set<ChildProcess>()
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-clone-'))
    await chmod(folder, 0o755)
  })
  afterAll(async () => {
    for (const child of running) process.kill(-child.pid!, 'SIGKILL')
    await rm(folder, { recursive: true, force: true })
  })

  /** A command of npm in the clone, when it has printed that. */
  const npm = async (args: readonly string[], port: number, printed: string) => {
    const child = spawn('npm', args, {
      cwd: join(folder, 'parlance'),
      env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'pipe'],
      // npm does not forward signals to the processes that it started.
      detached: true,
    })
    running.add(child)
    const ended = once(child, 'close').then(() => running.delete(child))
    let output = ''
    await new Promise<void>((resolve, reject) => {
      const listen = (text: Buffer) => {
        output += text
        if (output.includes(printed)) resolve()
      }
      child.stdout.on('data', listen)
      child.stderr.on('data', listen)
      ended.then(() => reject(new Error(`npm ${args.join(' ')} ended: ${output}`)))
    })
    return async () => {
      process.kill(-child.pid!, 'SIGTERM')
      await ended
    }
  }

  test('starts by the README’s commands, speaks, runs the examples, and has a clean git status after all of it', async () => {
    const [clone, enterAndStart] = codeBlocksOf(readDocument('README.md'))[0]!.text.split('\n')
    expect([clone, enterAndStart]).toEqual([
      'git clone https://github.com/OWNER/parlance.git',
      'cd parlance && npm start',
    ])
    await run('bash', ['-euc', clone!.replace(/https:\S+/, `${root} parlance`)], { cwd: folder })
    const cloned = join(folder, 'parlance')
    // The packages are those that are installed here already, and npm start sees that: the smoke test installs a clone. A link
    // shares a file, so what npm start writes is removed first.
    const projects = await builtProjects()
    for (const folder of ['', 'examples/react-app', 'examples/token-backend', ...projects]) {
      const [from, to] = [join(root, folder, 'node_modules'), join(cloned, folder, 'node_modules')]
      if (existsSync(from)) await run('cp', ['-al', from, to]).catch(() => run('cp', ['-aT', from, to]))
    }
    // What is built here is built again only where it differs: the smoke test builds all of a clone.
    for (const project of [...projects, 'web/site']) {
      await cp(join(root, project, 'dist'), join(cloned, project, 'dist'), {
        recursive: true,
        preserveTimestamps: true,
      })
    }
    await rm(join(cloned, 'node_modules/.parlance-built'), { force: true })
    await rm(join(cloned, 'examples/react-app/node_modules/.vite'), { recursive: true, force: true })
    const status = () => execFileSync('git', ['status', '--porcelain'], { cwd: cloned, encoding: 'utf8' })
    expect(status()).toBe('')

    const stop = await npm(['start'], await freePort(), 'Ctrl-C stops it.')
    const dev = JSON.parse(await readFile(join(cloned, '.parlance/dev.json'), 'utf8'))
    const headers = { authorization: `Bearer ${dev.api_key}`, 'content-type': 'application/json' }
    const { voices } = (await (await fetch(`${dev.url}/v1/voices?language=en`, { headers })).json()) as {
      voices: { id: string }[]
    }
    const save = (file: string) =>
      run(
        'curl',
        [
          ...['-fsS', `${dev.url}/v1/tts`, '-H', `Authorization: Bearer ${dev.api_key}`, '-o', file],
          ...['-H', 'Content-Type: application/json', '-d', JSON.stringify({ text: 'Hi.', voice_id: voices[0]!.id })],
        ],
        { cwd: cloned },
      )
    // The names that the printed command and the README use.
    await save('hello.mp3')
    await save('hello.wav')
    const ports = [await freePort(), await freePort()] as const
    const stopBackend = await npm(['start', '--prefix', 'examples/token-backend'], ports[0], String(ports[0]))
    const stopApp = await npm(['start', '--prefix', 'examples/react-app'], ports[1], String(ports[1]))
    expect((await fetch(`http://127.0.0.1:${ports[1]}/src/main.tsx`)).status).toBe(200)
    expect(status()).toBe('')
    await stopApp()
    await stopBackend()
    await stop()
    expect(status()).toBe('')
  }, 600_000)
})
