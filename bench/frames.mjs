/**
 * The cost of one frame of audio from a worker to a listener, over NATS and the gateway, beside a bare `ws.send`; the time
 * until a cancelled stream ends; and the cost of stalled readers for the others.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startBackingServers } from './harness/backing-servers.mjs'
import { cpuSeconds, startProcess } from './harness/child-process.mjs'
import { commandLine } from './harness/command-line.mjs'
import { needBuild, root } from './harness/installed.mjs'
import { startListeners } from './harness/listener-process.mjs'
import { serviceNames, startParlance } from './harness/parlance-services.mjs'
import { memoryOf } from './harness/process-memory.mjs'
import { atMost, finish, goal, say, table } from './harness/report.mjs'
import { median, medianRow, percentile } from './harness/statistics.mjs'
import { inTemporaryFolder } from './harness/temporary-folder.mjs'
import { eventually } from './harness/waiting.mjs'

const options = commandLine('the cost of a 40 ms frame on its way to the listener', {
  rounds: { type: 'number', default: 3, help: 'times that each is measured' },
  seconds: { type: 'number', default: 20, help: 'of each round: the system counts CPU in hundredths of a second' },
  'warm-up': {
    type: 'number',
    default: 30,
    help: 'seconds before the first round, in which code is compiled',
  },
  few: { type: 'number', default: 50, help: 'streams at once' },
  many: { type: 'number', default: 300, help: 'streams at once, where the latency is looked at' },
  healthy: { type: 'number', default: 64, help: 'listeners beside those that have stopped reading' },
  stalled: { type: 'number', default: 64, help: 'listeners that have stopped reading' },
  contexts: { type: 'number', default: 1, help: 'contexts that each of those has asked for' },
  profile: { type: 'string', default: '', help: 'a folder for a CPU profile of each service' },
  cancels: { type: 'number', default: 200, help: 'streams that are cancelled' },
})
needBuild(...serviceNames)

/** Far longer than a measurement, at whose end each is ended. */
const wish = 'real 3600'
const cancelsAtOnce = 100
/** The start of hundreds of streams uses CPU for this long, which is not part of the cost of a frame. */
const begunAfterMs = 3_000

const startBareSocket = async (folder) => {
  const { freePort } = await import('@parlance/testing')
  const port = await freePort()
  const running = startProcess({
    name: 'bare socket',
    command: [process.execPath, join(root, 'bench/harness/bare-socket.mjs')],
    env: { NODE_ENV: 'production', PORT: String(port) },
    log: join(folder, 'bare-socket.log'),
  })
  return { ...running, url: `http://127.0.0.1:${port}` }
}

/** Watches a process's memory until `highestMb()` is asked for. */
const watchMemory = (pid) => {
  let highestMb = 0
  const look = () => {
    highestMb = Math.max(highestMb, memoryOf(pid).rssMb)
  }
  look()
  const timer = setInterval(look, 100)
  return {
    highestMb() {
      clearInterval(timer)
      look()
      return highestMb
    },
  }
}

const measureStalled = async (listeners, target, gatewayPid) => {
  const stalledOnes = startListeners()
  const healthy = { set: 'healthy', count: options.healthy }
  const stalled = { set: 'stalled', count: options.stalled }
  const listen = async () => {
    await listeners.ask('listen')
    await delay(options.seconds * 1_000)
    return listeners.ask('latencies')
  }
  const rounds = []
  const memory = []
  try {
    await listeners.ask('connect', { ...healthy, target })
    await listeners.ask('speak', { ...healthy, wish })
    // V8 compiles the gateway's code during the first requests.
    await delay(1_000)
    for (let round = 0; round < options.rounds; round++) {
      const aloneMemory = watchMemory(gatewayPid)
      const alone = await listen()
      const beforeMb = aloneMemory.highestMb()
      const watched = watchMemory(gatewayPid)
      await stalledOnes.ask('connect', { ...stalled, target })
      await stalledOnes.ask('stall', { ...stalled, contexts: options.contexts })
      // After this time the audio that every listener may receive ahead has been sent, so the listeners count as stalled.
      await delay(2_000)
      const beside = await listen()
      const highestMb = watched.highestMb()
      await stalledOnes.ask('close', stalled)
      await delay(500)
      memory.push({ beforeMb, highestMb })
      rounds.push({ aloneP99Ms: alone.p99Ms, besideP99Ms: beside.p99Ms })
      say(`stalled, round ${round + 1}: p99 ${alone.p99Ms.toFixed(1)} → ${beside.p99Ms.toFixed(1)} ms`)
    }
    await listeners.ask('close', healthy)
  } finally {
    await stalledOnes.stop()
  }
  const beforeMb = memory[0].beforeMb
  const highestMb = Math.max(...memory.map((each) => each.highestMb))
  return { ...medianRow(rounds), beforeMb, highestMb, moreMb: highestMb - beforeMb }
}

/** Measures all ways at the same time, with `streams` streams on each. */
const speakOn = (ways, count) =>
  Promise.all(ways.map(({ listeners, set }) => listeners.ask('speak', { set, count, wish })))
const cancelOn = (ways, count) => Promise.all(ways.map(({ listeners, set }) => listeners.ask('cancel', { set, count })))

const warmUp = async (ways, count) => {
  await speakOn(ways, count)
  await delay(options['warm-up'] * 1_000)
  await cancelOn(ways, count)
}

const measureFrames = async (ways, count) => {
  const rows = ways.map(() => [])
  for (let round = 0; round < options.rounds; round++) {
    await speakOn(ways, count)
    await delay(begunAfterMs)
    const before = ways.map(({ pid }) => cpuSeconds(pid))
    await Promise.all(ways.map(({ listeners }) => listeners.ask('listen')))
    await delay(options.seconds * 1_000)
    for (const [n, { listeners, pid }] of ways.entries()) {
      const usedSeconds = cpuSeconds(pid) - before[n]
      const received = await listeners.ask('latencies')
      rows[n].push({ ...received, cpuUs: (usedSeconds * 1e6) / received.frames })
    }
    await cancelOn(ways, count)
    say(`${count} streams, round ${round + 1} of ${options.rounds}`)
  }
  return rows.map(medianRow)
}

/** When the worker stopped, on the clock that all processes share, by the text of the stream. */
const stopsIn = (log) =>
  new Map(
    readFileSync(log, 'utf8')
      .split('\n')
      .filter((line) => line.includes('"stoppedAtMs"'))
      .map((line) => JSON.parse(line))
      .map(({ text, stoppedAtMs }) => [text, stoppedAtMs]),
  )

const measureCancels = async (listeners, set, worker) => {
  const cancels = []
  while (cancels.length < options.cancels) {
    const count = Math.min(cancelsAtOnce, options.cancels - cancels.length)
    await listeners.ask('speak', { set, count, wish })
    cancels.push(...(await listeners.ask('cancel', { set, count, withinMs: 2_000 })))
  }
  const stops = await eventually('the end of all cancelled streams', () => {
    const printed = stopsIn(worker.log)
    return cancels.every(({ text }) => printed.has(text)) && printed
  })
  const stoppedAfterMs = cancels.map(({ text, cancelAtMs }) => stops.get(text) - cancelAtMs)
  const lastAudioAfterMs = cancels.map((each) => each.lastAudioAfterMs)
  const of = (values) => ({ p50Ms: median(values), p99Ms: percentile(values, 0.99), longestMs: Math.max(...values) })
  const afterCancelled = cancels.reduce((total, each) => total + each.afterCancelled, 0)
  return { count: cancels.length, lastAudio: of(lastAudioAfterMs), stopped: of(stoppedAfterMs), afterCancelled }
}

const textOf = ({ few, many, cancelled, stalled }) => {
  const ms = (value) => value.toFixed(2)
  const rows = [few, many].flatMap(({ count, gateway, bare }) =>
    Object.entries({ gateway, 'bare socket': bare }).map(([name, row]) => [
      `${count} streams, ${name}`,
      row.cpuUs.toFixed(1),
      ...[row.p50Ms, row.p99Ms, row.longestMs].map(ms),
    ]),
  )
  const quantiles = ({ p50Ms, p99Ms, longestMs }) => [p50Ms, p99Ms, longestMs].map(ms)
  return [
    table(['40 ms frames', 'CPU µs', 'p50 ms', 'p99 ms', 'longest ms'], rows),
    table(
      [`after a cancel, ${cancelled.count}`, 'p50 ms', 'p99 ms', 'longest ms'],
      [
        ['last audio received', ...quantiles(cancelled.lastAudio)],
        ['worker stopped', ...quantiles(cancelled.stopped)],
      ],
    ),
    table(
      ['readers that have stopped', 'without', 'with'],
      [
        ['p99 of the others, ms', ms(stalled.aloneP99Ms), ms(stalled.besideP99Ms)],
        ['memory of the gateway, MB', stalled.beforeMb.toFixed(0), stalled.highestMb.toFixed(0)],
      ],
    ),
  ].join('\n\n')
}

const goalsOf = ({ few, many, cancelled, stalled }) => [
  ...[few, many].map(({ count, gateway, bare }) =>
    goal(`CPU of a frame, ${count} streams, to the bare socket`, gateway.cpuUs / bare.cpuUs, ' ×', atMost(2.1)),
  ),
  goal(`median more than bare, ${many.count} streams`, many.gateway.p50Ms - many.bare.p50Ms, ' ms', atMost(1)),
  goal(`p99 more than bare, ${many.count} streams`, many.gateway.p99Ms - many.bare.p99Ms, ' ms', atMost(20)),
  goal('cancel to last audio, p99', cancelled.lastAudio.p99Ms, ' ms', atMost(50)),
  goal('cancel to the worker’s stop, p99', cancelled.stopped.p99Ms, ' ms', atMost(50)),
  goal('frames after "cancelled"', cancelled.afterCancelled, '', atMost(0)),
  goal('memory for readers that have stopped', stalled.moreMb, ' MB', atMost(64)),
  goal('p99 beside them, to alone', stalled.besideP99Ms / stalled.aloneP99Ms, ' ×', atMost(1.5)),
]

const figures = await inTemporaryFolder(async (folder) => {
  const servers = await startBackingServers()
  const listeners = startListeners()
  const bareListeners = startListeners()
  let bareSocket
  let product
  try {
    bareSocket = await startBareSocket(folder)
    product = await startParlance({
      servers,
      folder,
      speech: 'bench/harness/paced-worker.mjs',
      profile: options.profile,
    })
    const target = { url: product.url, authorization: product.authorizations[0] }
    const { gateway, tts: worker } = product.processes

    const stalled = await measureStalled(listeners, target, gateway.pid)
    const most = Math.max(options.few, options.many, cancelsAtOnce)
    await listeners.ask('connect', { set: 'gateway', count: most, target })
    await bareListeners.ask('connect', { set: 'bare', count: most, target: { url: bareSocket.url } })
    const ways = [
      { listeners, set: 'gateway', pid: gateway.pid },
      { listeners: bareListeners, set: 'bare', pid: bareSocket.pid },
    ]
    const measure = async (count) => {
      const [ofGateway, ofBare] = await measureFrames(ways, count)
      return { count, gateway: ofGateway, bare: ofBare }
    }
    await warmUp(ways, options.many)
    const few = await measure(options.few)
    const many = await measure(options.many)
    const cancelled = await measureCancels(listeners, 'gateway', worker)
    return { few, many, cancelled, stalled }
  } finally {
    await Promise.all([listeners.stop(), bareListeners.stop()])
    await Promise.all([product?.stop(), bareSocket?.stop()])
    await servers.stop()
  }
})

const { json, assert } = options
finish({ json, assert, text: textOf(figures), figures, goals: goalsOf(figures) })
