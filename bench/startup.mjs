/**
 * How long a second `npm start` takes until it serves, and how much memory its whole process tree holds at rest.
 *
 * The first start may install, build and make the database; it is not measured. The data is in a folder of its own, so
 * that of the checkout is left alone.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '@parlance/testing'
import { commandLine } from './harness/command-line.mjs'
import { giveUp, root } from './harness/installed.mjs'
import { memoryOf, processTree } from './harness/process-memory.mjs'
import { atMost, finish, goal, say, table } from './harness/report.mjs'
import { median } from './harness/statistics.mjs'
import { inTemporaryFolder } from './harness/temporary-folder.mjs'

const options = commandLine('seconds until `npm start` serves, and memory at rest', {
  rounds: { type: 'number', default: 5, help: 'starts that are measured' },
  rest: {
    type: 'number',
    default: 20,
    help: 'seconds of rest before memory is read; unused connections close after 10',
  },
  folder: { type: 'string', default: root, help: 'a checkout; this one if not given' },
})

const folder = resolve(options.folder)
if (!existsSync(join(folder, 'package.json'))) giveUp(`There is no checkout in ${folder}.`)

const firstStartWithinMs = 300_000

/** Starts, waits until it serves, runs `meanwhile` with the process's id, then ends it as Ctrl-C does. */
const startOnce = async (logs, meanwhile = () => undefined) => {
  const log = join(logs, 'start.log')
  const [port, healthPort] = [await freePort(), await freePort()]
  const output = openSync(log, 'w')
  const startedMs = performance.now()
  // Its own process group: Ctrl-C in a terminal reaches npm and everything below it at once.
  const child = spawn('npm', ['start'], {
    cwd: folder,
    detached: true,
    env: {
      ...process.env,
      PORT: String(port),
      HEALTH_PORT: String(healthPort),
      PARLANCE_DATA: join(logs, 'data'),
    },
    stdio: ['ignore', output, output],
  })
  const interrupt = () => {
    try {
      process.kill(-child.pid, 'SIGINT')
    } catch {
      // It has ended by itself.
    }
  }
  process.once('exit', interrupt)
  const gone = once(child, 'exit')
  try {
    const seconds = await servesWithin(healthPort, startedMs, child, log)
    return { seconds, meanwhile: await meanwhile(child.pid) }
  } finally {
    interrupt()
    await gone
    process.removeListener('exit', interrupt)
  }
}

const servesWithin = async (healthPort, startedMs, child, log) => {
  while (performance.now() - startedMs < firstStartWithinMs && child.exitCode === null) {
    const ready = await fetch(`http://127.0.0.1:${healthPort}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    )
    if (ready) return (performance.now() - startedMs) / 1000
    await delay(20)
  }
  throw new Error(`npm start did not serve:\n${readFileSync(log, 'utf8').slice(-2000)}`)
}

const memoryAtRest = async (pid) => {
  say(`at rest for ${options.rest} s ...`)
  await delay(options.rest * 1000)
  return processTree(pid).map(memoryOf)
}

const sum = (processes, field) => processes.reduce((total, running) => total + running[field], 0)

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130))

await inTemporaryFolder(async (logs) => {
  say('first start, not measured ...')
  await startOnce(logs)
  const starts = []
  let processes = []
  for (let round = 1; round <= options.rounds; round++) {
    const last = round === options.rounds
    const { seconds, meanwhile } = await startOnce(logs, last ? memoryAtRest : undefined)
    starts.push(seconds)
    if (last) processes = meanwhile
    say(`start ${round} of ${options.rounds}: ${seconds.toFixed(2)} s`)
  }
  const seconds = `seconds until it served: ${starts.map((start) => start.toFixed(2)).join(', ')}`
  const memory = table(
    ['process at rest', 'RSS MB', 'PSS MB'],
    [...processes, { command: 'all', rssMb: sum(processes, 'rssMb'), pssMb: sum(processes, 'pssMb') }].map(
      ({ command, rssMb, pssMb }) => [command.replaceAll(folder, '.').slice(0, 70), rssMb.toFixed(0), pssMb.toFixed(0)],
    ),
  )
  const goals = [
    goal('second start until it serves, median', median(starts), ' s', atMost(4)),
    goal('process tree at rest, RSS', sum(processes, 'rssMb'), ' MB', atMost(450)),
  ]
  const { json, assert } = options
  finish({ json, assert, text: `${seconds}\n\n${memory}`, figures: { starts, processes }, goals })
})
