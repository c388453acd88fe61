/**
 * Load for the streaming WebSocket, against an installation of one's own (`--url`, `--key`) or one that it starts: so many
 * callers at once, each with a connection of its own, one turn after the other for a while. At real-time pace a caller
 * sends a text as a language model writes it, and listens to the end before its next turn; as fast as possible it sends
 * whole texts and begins again when the last frame is there.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startBackingServers } from './harness/backing-servers.mjs'
import { startBareEngines } from './harness/bare-engines.mjs'
import { startBareSpeechPath } from './harness/bare-speech-path.mjs'
import { commandLine } from './harness/command-line.mjs'
import { installationCpu } from './harness/installation-cpu.mjs'
import { needBuild } from './harness/installed.mjs'
import { serviceNames, startParlance } from './harness/parlance-services.mjs'
import { atLeast, atMost, finish, goal, say, table } from './harness/report.mjs'
import { newSeed } from './harness/seeded-order.mjs'
import { median, percentile, sum } from './harness/statistics.mjs'
import { firstVoice, loadStreams } from './harness/stream-load.mjs'
import { inTemporaryFolder } from './harness/temporary-folder.mjs'

const options = commandLine('many callers of the streaming WebSocket at once', {
  streams: { type: 'number', default: 16, help: 'callers at once' },
  seconds: {
    type: 'number',
    default: 15,
    help: 'how long they call, from when all have begun; with --fast in each of five rounds',
  },
  fast: { type: 'boolean', default: false, help: 'as fast as possible, not at the pace of people' },
  url: { type: 'string', default: '', help: 'an installation that runs, e.g. http://localhost:8080' },
  key: {
    type: 'string',
    default: process.env.PARLANCE_API_KEY ?? '',
    help: 'a key for it; PARLANCE_API_KEY is read too',
  },
  voice: { type: 'string', default: '', help: 'id of a voice; the first there is when left out' },
  metrics: {
    type: 'string',
    default: '',
    help: 'addresses of its workers’ /metrics, with commas between, for their shares',
  },
  rate: { type: 'number', default: 24_000, help: 'sample rate in Hz; the built-in voices are made at 22050' },
  implementation: {
    type: 'string',
    default: 'auto',
    help: 'of eSpeak NG in the installation that it starts itself: native, wasm or auto',
  },
  workers: { type: 'number', default: 1, help: 'speech workers of the installation that it starts itself' },
  profile: { type: 'string', default: '', help: 'a folder for a CPU profile of each service it starts' },
  seed: { type: 'number', default: newSeed(), help: 'of the texts, to repeat a run' },
})

/** The goals are for compiled code: V8 has compiled an engine soon, and services after some thousand requests. */
const warmSeconds = { installation: 60, path: 20 }
/** Parlance and the bare engine take turns, as a machine is quick in one minute and slow in the next. */
const rounds = options.fast ? 5 : 1

const measure = async (target, more) =>
  loadStreams(target, {
    streams: options.streams,
    seconds: options.seconds,
    fast: options.fast,
    voiceId: options.voice || (await firstVoice(target)),
    sampleRateHz: options.rate,
    seed: options.seed,
    ...more,
  })

const addTo = (totals, more) => {
  for (const [name, value] of Object.entries(more)) totals[name] = (totals[name] ?? 0) + value
  return totals
}

/** The figures of all rounds in one. */
const together = (results) => {
  const of = (field) => sum(results.map((each) => each[field]))
  const sharesOf = (worker) => sum(results.map(({ shares, audioSeconds }) => shares[worker] * audioSeconds))
  return {
    turns: results.flatMap(({ turns }) => turns),
    refusals: results.reduce((totals, { refusals }) => addTo(totals, refusals), {}),
    seconds: of('seconds'),
    audioSeconds: of('audioSeconds'),
    shares: results[0].shares.map((_, worker) => sharesOf(worker) / of('audioSeconds')),
  }
}

/**
 * Speaks, and the bare engines before and after. `cpu` resolves to the CPU that each process has used so far. The rounds follow
 * each other closely, since a service that has had nothing to do for some twenty seconds is slower at first.
 */
const measureRounds = async (target, cpu, engines, more) => {
  const results = []
  const ratios = []
  const cpuOf = {}
  const bare = [await engines.measure()]
  for (let round = 1; round <= rounds; round++) {
    if (rounds > 1) say(`round ${round} of ${rounds} ...`)
    const before = Object.entries(cpu())
    const one = await measure(target, more)
    const after = cpu()
    const used = Object.fromEntries(before.map(([name, total]) => [name, after[name] - total]))
    results.push(one)
    addTo(cpuOf, used)
    bare.push(await engines.measure())
    ratios.push(one.audioSeconds / sum(Object.values(used)) / ((bare[round - 1] + bare[round]) / 2))
  }
  const all = summary(together(results))
  return {
    ...all,
    audioPerCpu: all.audioSeconds / sum(Object.values(cpuOf)),
    engineAudioPerCpu: sum(bare) / bare.length,
    ratios,
    cpuOf,
  }
}

const quantiles = (values) => ({
  p50: percentile(values, 0.5),
  p95: percentile(values, 0.95),
  p99: percentile(values, 0.99),
})

const summary = ({ turns, refusals, seconds, audioSeconds, shares }) => {
  const of = (field) => turns.map((turn) => turn[field])
  const [frames, late] = [sum(of('frames')), sum(of('lateFrames'))]
  return {
    turns: turns.length,
    audioSeconds,
    audioSecondsPerSecond: audioSeconds / seconds,
    ttfaMs: quantiles(of('ttfaMs')),
    ownTtfaMs: quantiles(of('ownTtfaMs')),
    lateFrames: late,
    lateShare: frames === 0 ? 0 : late / frames,
    latestMs: Math.max(0, ...of('latestMs')),
    refusals,
    workerShares: shares,
  }
}

const cpuRows = ({ audioPerCpu, engineAudioPerCpu, ratios, cpuOf }) => [
  ['audio for a second of CPU, all processes', `${audioPerCpu.toFixed(0)} s`],
  ['  the bare engine', `${engineAudioPerCpu.toFixed(0)} s`],
  ['  the one to the other, in each round', ratios.map((ratio) => ratio.toFixed(2)).join(', ')],
  ...Object.entries(cpuOf).map(([name, used]) => [`  CPU of ${name}`, `${used.toFixed(2)} s`]),
]

const pathRows = (path) => [
  ['a bare path: engine, worker, NATS and WebSocket alone', ''],
  ['  its audio', `${path.audioSeconds.toFixed(0)} s`],
  ...cpuRows(path).map(([name, figure]) => [`  ${name}`, figure]),
]

const textOf = (result) => {
  const inMs = ({ p50, p95, p99 }) => `p50 ${p50.toFixed(0)}, p95 ${p95.toFixed(0)}, p99 ${p99.toFixed(0)} ms`
  const share = (part) => `${(part * 100).toFixed(part > 0 && part < 0.01 ? 2 : 0)} %`
  const refused = Object.entries(result.refusals).map(([code, count]) => `${code} ${count}`)
  return table(
    ['', ''],
    [
      ['turns spoken', result.turns],
      ['audio', `${result.audioSeconds.toFixed(0)} s, ${result.audioSecondsPerSecond.toFixed(1)} × real time`],
      ['first word to first audio', inMs(result.ttfaMs)],
      ['first text that can be spoken to first audio', inMs(result.ownTtfaMs)],
      ['frames that came too late', `${result.lateFrames} (${share(result.lateShare)})`],
      ['  by at most', `${result.latestMs.toFixed(0)} ms`],
      ['refused', refused.length === 0 ? '0' : refused.join(', ')],
      ...result.workerShares.map((part, n) => [`share of worker ${n + 1}`, share(part)]),
      ...(result.audioPerCpu === undefined ? [] : cpuRows(result)),
      ...(result.path === undefined ? [] : pathRows(result.path)),
    ],
  )
}

const report = (result, goals = []) => {
  if (result.turns === 0) throw new Error(`Nothing was spoken; refused: ${JSON.stringify(result.refusals)}`)
  const { json, assert, seed, streams, fast } = options
  finish({ json, assert, text: textOf(result), figures: { seed, streams, fast, ...result }, goals })
}

const ownInstallation = () =>
  inTemporaryFolder(async (folder) => {
    needBuild(...serviceNames)
    const servers = await startBackingServers()
    const enginesFile = join(folder, 'engines.json')
    const engine = { type: 'espeak-ng', implementation: options.implementation }
    await writeFile(enginesFile, JSON.stringify({ engines: { 'espeak-ng': engine } }))
    let product
    let engines
    let path
    try {
      const { workers, profile } = options
      product = await startParlance({ servers, folder, workers, profile, env: { TTS_ENGINES_FILE: enginesFile } })
      const target = { url: product.url, authorization: product.authorizations[0] }
      const cpu = () => installationCpu(servers, product)
      say('warming up ...')
      engines = await startBareEngines(options.implementation)
      await measure(target, { seconds: warmSeconds.installation, fast: true })
      const result = await measureRounds(target, cpu, engines, { metricUrls: product.workerMetrics })
      if (options.fast) {
        say('the bare path ...')
        path = await startBareSpeechPath({ servers, folder, implementation: options.implementation })
        await measure(path.target, { seconds: warmSeconds.path })
        result.path = await measureRounds(path.target, path.cpu, engines)
      }
      const goals = options.fast
        ? [
            goal(
              'audio for a second of CPU, to the bare path',
              median(result.ratios) / median(result.path.ratios),
              ' ×',
              atLeast(0.75),
            ),
          ]
        : [
            goal('first text that can be spoken to first audio, p50', result.ownTtfaMs.p50, ' ms', atMost(8)),
            goal('and p95', result.ownTtfaMs.p95, ' ms', atMost(20)),
            goal('frames that came too late', result.lateShare * 100, ' %', atMost(0)),
          ]
      report(result, goals)
    } finally {
      engines?.stop()
      await path?.stop()
      await product?.stop()
      await servers.stop()
    }
  })

if (options.url === '') await ownInstallation()
else {
  if (options.key === '') {
    console.error('--key is missing: a key of the installation, or PARLANCE_API_KEY in the environment')
    process.exit(2)
  }
  const target = { url: options.url.replace(/\/+$/, ''), authorization: `Bearer ${options.key}` }
  report(summary(await measure(target, { metricUrls: options.metrics === '' ? [] : options.metrics.split(',') })))
}
