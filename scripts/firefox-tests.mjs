// `npm run test:firefox`: runs the suites of what integrators put on their pages in Firefox. Arguments go to vitest.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { runChild } from './child.mjs'

const suites = ['tests/client.test.ts', 'tests/client-packages.test.ts', 'web/avatar/test/avatar.test.ts']

/** The commands that are needed, with the packages of Debian. */
const packages = { 'firefox-esr || command -v firefox': 'firefox-esr', Xvfb: 'xvfb', pulseaudio: 'pulseaudio' }

const findMissing = async () => {
  const codes = Object.keys(packages).map((command) => runChild('sh', ['-c', `command -v ${command}`]))
  const missing = await Promise.all(codes)
  return Object.values(packages).filter((_, index) => missing[index].code !== 0)
}

const started = []

/** Starts a program. Resolves with the first line of a stream that matches, when the program has written it. */
const startUntil = async (file, args, options, stream, expected) => {
  const child = spawn(file, args, options)
  started.push(child)
  const ended = once(child, 'close').then(([code]) => {
    throw new Error(`${file} ended with code ${code}`)
  })
  // Later it is ended by this script.
  ended.catch(() => {})
  const lines = createInterface({ input: child.stdio[stream] })
  const found = new Promise((resolve) => lines.on('line', (line) => expected.test(line) && resolve(line)))
  return Promise.race([found, ended])
}

/** Firefox draws in three dimensions only on a display. */
const startDisplay = () =>
  startUntil(
    'Xvfb',
    ['-displayfd', '3', '-nolisten', 'tcp'],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] },
    3,
    /^\d+$/,
  )

/** Without a sound card Firefox starts no audio at all. */
const startSoundCard = (folder) => {
  const socket = join(folder, 'socket')
  const modules = ['module-null-sink', `module-native-protocol-unix socket=${socket} auth-anonymous=1`]
  const args = ['-n', '-v', '--daemonize=no', '--exit-idle-time=-1', ...modules.map((module) => `--load=${module}`)]
  const env = { ...process.env, HOME: folder, XDG_RUNTIME_DIR: folder }
  return startUntil('pulseaudio', args, { env, stdio: ['ignore', 'ignore', 'pipe'] }, 2, /startup complete/)
}

const missing = await findMissing()
if (missing.length > 0) {
  console.error(
    `npm run test:firefox needs ${missing.join(', ')} on this machine (Debian: apt-get install ${missing.join(' ')})`,
  )
  process.exit(1)
}
const folder = await mkdtemp(join(tmpdir(), 'parlance-firefox-'))
try {
  const display = await startDisplay()
  await startSoundCard(folder)
  const { code } = await runChild(
    process.execPath,
    ['scripts/test.mjs', '--no-file-parallelism', ...suites, ...process.argv.slice(2)],
    {
      stdio: 'inherit',
      env: {
        ...process.env,
        DISPLAY: `:${display}`,
        PULSE_SERVER: `unix:${join(folder, 'socket')}`,
        TEST_BROWSER: 'firefox',
      },
    },
  )
  process.exitCode = code
} finally {
  for (const child of started) child.kill()
  await rm(folder, { recursive: true, force: true })
}
