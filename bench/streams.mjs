/**
 * Load for the streaming WebSocket, against your own installation (`--url`, `--key`) or one that it starts: callers at once, each
 * with its own connection. A caller sends a text as a language model writes it, and listens to the end before its next turn.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startBackingServers } from './harness/backing-servers.mjs'
import { commandLine } from './harness/command-line.mjs'
import { needBuild } from './harness/installed.mjs'
import { serviceNames, startParlance } from './harness/parlance-services.mjs'
import { atMost, finish, goal, say, table } from './harness/report.mjs'
import { newSeed } from './harness/seeded-order.mjs'
import { percentile, sum } from './harness/statistics.mjs'
import { firstVoice, loadStreams } from './harness/stream-load.mjs'
import { inTemporaryFolder } from './harness/temporary-folder.mjs'

const options = commandLine('many callers of the streaming WebSocket at once', {
  streams: { type: 'number', default: 16, help: 'callers at once' },
  seconds: { type: 'number', default: 15, help: 'how long they call, from when all have begun' },
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
const warmSeconds = 30

const measure = async (target, more) =>
  loadStreams(target, {
    streams: options.streams,
    seconds: options.seconds,
    voiceId: options.voice || (await firstVoice(target)),
    sampleRateHz: options.rate,
    seed: options.seed,
    ...more,
  })

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
    ],
  )
}

const report = (result, goals = []) => {
  if (result.turns === 0) throw new Error(`Nothing was spoken; refused: ${JSON.stringify(result.refusals)}`)
  const { json, assert, seed, streams } = options
  finish({ json, assert, text: textOf(result), figures: { seed, streams, ...result }, goals })
}

const ownInstallation = () =>
  inTemporaryFolder(async (folder) => {
    needBuild(...serviceNames)
    const servers = await startBackingServers()
    const enginesFile = join(folder, 'engines.json')
    const engine = { type: 'espeak-ng', implementation: options.implementation }
    await writeFile(enginesFile, JSON.stringify({ engines: { 'espeak-ng': engine } }))
    let product
    try {
      const { workers, profile } = options
      product = await startParlance({
        servers,
        folder,
        replicas: { tts: workers },
        profile,
        env: { TTS_ENGINES_FILE: enginesFile },
      })
      const target = { url: product.url, authorization: product.authorizations[0] }
      say('warming up ...')
      await measure(target, { seconds: warmSeconds })
      const result = summary(await measure(target, { metricUrls: product.workerMetrics }))
      report(result, [
        goal('first text that can be spoken to first audio, p50', result.ownTtfaMs.p50, ' ms', atMost(8)),
        goal('and p95', result.ownTtfaMs.p95, ' ms', atMost(20)),
        goal('frames that came too late', result.lateShare * 100, ' %', atMost(0)),
      ])
    } finally {
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
