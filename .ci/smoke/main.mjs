/**
 * The first steps of a new user: clone and run `npm start` by the commands of the documentation, run the printed command, play a
 * sentence, press Ctrl-C and start again. Then the commands of who changes Parlance. Nothing is installed by hand: the home folder and
 * npm's prefix and cache are new, too.
 * Root runs it as an ordinary user. The tests, which root runs too, start Parlance as the account that they have.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { check } from '../../scripts/check.mjs'
import { documentedCommands } from '../../scripts/documented-commands.mjs'
import { npmStart } from './npm-start.mjs'
import { assertSpeech } from './spoken-audio.mjs'

const run = promisify(execFile)
const repository = join(import.meta.dirname, '../..')
const [cloneAndStart, ...others] = ['README.md', 'docs/start.md'].flatMap((document) =>
  documentedCommands('.ci/run', document),
)
const [cloneCommand, startCommand] = cloneAndStart.split('\n')
const changeCommands = ['CONTRIBUTING.md', 'web/dashboard/README.md'].flatMap((document) =>
  documentedCommands('.ci/run', document),
)
const documentedAddress = 'https://github.com/OWNER/parlance.git'
// They end a start that hangs. A busy machine may need a multiple of what a start takes alone.
const firstStartLimitMs = 1_800_000
const laterStartLimitMs = 300_000

const count = { passed: 0, failed: 0 }

const countedCheck = async (guarantee, work) => {
  try {
    await check(guarantee, work)
    count.passed += 1
  } catch (error) {
    count.failed += 1
    throw error
  }
}

/** Listens on port 0, which is any free port. */
const occupy = async (wanted) => {
  const server = createServer().listen(wanted)
  await once(server, 'listening')
  return { port: server.address().port, close: () => new Promise((resolve) => server.close(resolve)) }
}

/** The account to which root changes, or undefined for the present one. */
const ordinaryAccount = async () => {
  if (process.getuid() !== 0) return undefined
  const idOf = async (flag) => Number((await run('id', [flag, 'nobody'])).stdout)
  return { uid: await idOf('-u'), gid: await idOf('-g') }
}

/** The variables that name the programs and the package registry, and no others. */
const passedOn = /^(path|lang|lc_.*|tz|.*_proxy|ssl_cert_.*|node_extra_ca_certs|npm_config_(registry|cafile))$/i

const environmentIn = (folder, port) => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => passedOn.test(name))),
  HOME: join(folder, 'home'),
  npm_config_prefix: join(folder, 'npm-prefix'),
  npm_config_cache: join(folder, 'npm-cache'),
  PORT: String(port),
})

const prepare = async (folder, account) => {
  // Postgres, when root starts it, runs as another user, who must be able to reach its data folder.
  await chmod(folder, 0o755)
  const places = ['home', 'npm-prefix', 'npm-cache', 'elsewhere', 'elsewhere-later']
  for (const place of places) await mkdir(join(folder, place))
  // Git takes this repository for the address, so that the command is as documented.
  const env = {
    ...process.env,
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `url.${pathToFileURL(repository)}.insteadOf`,
    GIT_CONFIG_VALUE_0: documentedAddress,
  }
  await run('bash', ['-c', cloneCommand], { cwd: folder, env })
  if (account) await run('chown', ['-R', `${account.uid}:${account.gid}`, folder])
}

const assertEndedWhole = ({ code, signal, started, left }) => {
  assert.deepEqual(left, [], 'processes are left')
  // The shell between npm and this process may end by the same Ctrl-C.
  assert.ok(code === 0 || code === 130 || signal === 'SIGINT', `it ended with ${code ?? signal}`)
  return `${started.length} processes`
}

const story = async (folder) => {
  assert.deepEqual(others, [cloneAndStart], 'the pages say the same')
  const account = await ordinaryAccount()
  await prepare(folder, account)
  const { port, close } = await occupy(0)
  await close()
  const clone = join(folder, 'parlance')
  const environment = environmentIn(folder, port)
  const begin = () => npmStart({ command: startCommand, folder, environment, account })

  /** Runs the printed command as it is, and decodes the file that it writes. */
  const speak = async (curlLine, cwd) => {
    const before = await readdir(cwd)
    await run('bash', ['-c', curlLine], { cwd, env: environment, ...account })
    const files = (await readdir(cwd)).filter((file) => !before.includes(file))
    assert.equal(files.length, 1, `the line leaves one file: ${files}`)
    return assertSpeech(join(cwd, files[0]))
  }

  let curlLine
  let key
  const first = begin()
  try {
    await countedCheck('npm start on a clean clone prints a curl line', async () => {
      curlLine = await first.printedCurlLine(firstStartLimitMs)
    })
    await countedCheck('the printed line speaks', () => speak(curlLine, join(folder, 'elsewhere')))
    await countedCheck('.parlance/dev.json holds the key, for its owner alone', async () => {
      const file = join(clone, '.parlance/dev.json')
      const { mode, uid } = await stat(file)
      assert.equal((mode & 0o777).toString(8), '600')
      assert.equal(uid, account?.uid ?? process.getuid())
      const content = JSON.parse(await readFile(file, 'utf8'))
      assert.deepEqual(Object.keys(content).sort(), ['api_key', 'url', 'workspace_id'])
      assert.equal(new URL(content.url).port, String(port))
      key = content.api_key
      assert.ok(curlLine.includes(key), 'the printed line has the same key')
    })
    await countedCheck('Ctrl-C ends everything it started', async () => assertEndedWhole(await first.interrupt()))
  } finally {
    await first.destroy()
  }

  let laterCurlLine
  const second = begin()
  try {
    await countedCheck('a second npm start prints a curl line without the key', async () => {
      laterCurlLine = await second.printedCurlLine(laterStartLimitMs)
      assert.ok(!laterCurlLine.includes(key), laterCurlLine)
    })
    await countedCheck('that line speaks too', () => speak(laterCurlLine, clone))
    await countedCheck('the first line still speaks', () => speak(curlLine, join(folder, 'elsewhere-later')))
    await countedCheck('Ctrl-C ends everything again', async () => assertEndedWhole(await second.interrupt()))
  } finally {
    await second.destroy()
  }

  const other = await occupy(port)
  const unlucky = begin()
  try {
    await countedCheck('a port that is taken is one clear line and a failure', async () => {
      const { code, output } = await unlucky.ended
      const lines = output.split('\n')
      assert.notEqual(code, 0)
      assert.equal(lines.filter((line) => line.includes(String(port))).length, 1, output)
      assert.ok(!lines.some((line) => /^\s+at /.test(line)), output)
      return lines.find((line) => line.includes(String(port))).trim()
    })
  } finally {
    await unlucky.destroy()
    await other.close()
  }

  await countedCheck('the commands of the documentation install, build, test and generate', async () => {
    for (const commands of changeCommands) {
      await run('bash', ['-ec', commands], { cwd: clone, env: environment, ...account })
    }
  })

  // The printed command leaves its file in the clone, too.
  await countedCheck('git ignores all that this has written, or it is as committed', async () => {
    const { stdout } = await run('git', ['-C', clone, 'status', '--porcelain'], { env: environment, ...account })
    assert.equal(stdout, '')
  })
}

const folder = await mkdtemp(join(tmpdir(), 'parlance-smoke-'))
try {
  await story(folder)
} catch (error) {
  console.error(error)
  if (count.failed === 0) count.failed += 1
} finally {
  await rm(folder, { recursive: true, force: true })
}

console.log(`smoke: ${count.passed} passed, ${count.failed} failed`)
process.exitCode = count.failed === 0 ? 0 : 1
