/**
 * Whether a stream costs the same with four workers as with one: two whole installations, in turns, with as many callers
 * for each worker.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { startBackingServers } from './harness/backing-servers.mjs'
import { commandLine } from './harness/command-line.mjs'
import { installationCpu } from './harness/installation-cpu.mjs'
import { needBuild } from './harness/installed.mjs'
import { serviceNames, startParlance } from './harness/parlance-services.mjs'
import { atLeast, atMost, finish, goal, say, table } from './harness/report.mjs'
import { newSeed } from './harness/seeded-order.mjs'
import { median, percentile, sum } from './harness/statistics.mjs'
import { firstVoice, loadStreams } from './harness/stream-load.mjs'
import { inTemporaryFolder } from './harness/temporary-folder.mjs'

const options = commandLine('scale', 'the cost of a stream with one worker and with many', {
  workers: { type: 'number', default: 4, help: 'workers of the larger installation' },
  streams: { type: 'number', default: 12, help: 'callers at once, for each worker' },
  rounds: { type: 'number', default: 2, help: 'times that the two take turns' },
  seconds: { type: 'number', default: 10, help: 'of each turn' },
  seed: { type: 'number', default: newSeed(), help: 'of the texts, to repeat a run' },
})
needBuild(...serviceNames)

/** Engines are compiled while they speak. */
const warmSeconds = 4

/** An installation with so many workers of one engine process each: `{ workers, turn, stop }`. */
const open = async (parent, workers) => {
  const folder = join(parent, String(workers))
  await mkdir(folder)
  const servers = await startBackingServers()
  try {
    const product = await startParlance({ servers, folder, workers, env: { TTS_ENGINE_PROCESSES: '1' } })
    const target = { url: product.url, authorization: product.authorizations[0] }
    const load = {
      streams: options.streams * workers,
      seed: options.seed,
      voiceId: await firstVoice(target),
      metricUrls: product.workerMetrics,
    }
    await loadStreams(target, { ...load, streams: 2 * workers, seconds: warmSeconds, fast: true })
    return {
      workers,
      async turn() {
        const before = installationCpu(servers, product)
        const { turns, refusals, audioSeconds, shares } = await loadStreams(target, {
          ...load,
          seconds: options.seconds,
        })
        const after = installationCpu(servers, product)
        const used = (...parts) => sum(parts.map((name) => after[name] - before[name]))
        const all = Object.keys(after)
        return {
          audioSeconds,
          cpuSeconds: used(...all),
          speechCpuSeconds: used(...all.filter((name) => /^(engines|tts)/.test(name))),
          refusals: sum(Object.values(refusals)),
          ttfaMs: turns.map(({ ownTtfaMs }) => ownTtfaMs),
          shares,
        }
      },
      async stop() {
        await product.stop()
        await servers.stop()
      },
    }
  } catch (error) {
    await servers.stop()
    throw error
  }
}

const summary = ({ workers }, turns) => {
  const audioSeconds = sum(turns.map((turn) => turn.audioSeconds))
  const ttfaMs = turns.flatMap((turn) => turn.ttfaMs)
  return {
    workers,
    audioSeconds,
    audioPerCpu: median(turns.map((turn) => turn.audioSeconds / turn.cpuSeconds)),
    audioPerSpeechCpu: median(turns.map((turn) => turn.audioSeconds / turn.speechCpuSeconds)),
    refusals: sum(turns.map((turn) => turn.refusals)),
    ttfaP50Ms: median(ttfaMs),
    ttfaP95Ms: percentile(ttfaMs, 0.95),
    shares: turns[0].shares.map((_, n) => sum(turns.map((turn) => turn.shares[n] * turn.audioSeconds)) / audioSeconds),
  }
}

const results = await inTemporaryFolder(async (folder) => {
  const installations = []
  try {
    for (const workers of [1, options.workers]) {
      say(`starting and warming ${workers === 1 ? 'one worker' : `${workers} workers`} ...`)
      installations.push(await open(folder, workers))
    }
    const turns = installations.map(() => [])
    for (let round = 0; round < options.rounds; round++) {
      for (const [n, installation] of installations.entries()) turns[n].push(await installation.turn())
    }
    return installations.map((installation, n) => summary(installation, turns[n]))
  } finally {
    for (const installation of installations) await installation.stop()
  }
})

const [one, many] = results
const parts = many.shares.map((share) => share * many.workers)
const fields = ['workers', 'audioSeconds', 'audioPerCpu', 'audioPerSpeechCpu', 'refusals', 'ttfaP50Ms', 'ttfaP95Ms']
const rows = results.map((result) => fields.map((field) => result[field].toFixed(0)))
const header = [
  'workers',
  'audio s',
  'for a CPU s',
  'for one of the workers',
  'refusals',
  'first audio p50 ms',
  'p95 ms',
]
const { json, assert, seed } = options
finish({
  json,
  assert,
  text: table(header, rows),
  figures: { seed, one, many },
  goals: [
    goal(
      `audio for a CPU second, ${many.workers} workers to one`,
      many.audioPerCpu / one.audioPerCpu,
      ' ×',
      atLeast(0.9),
    ),
    goal('least share of a worker, to its fair part', Math.min(...parts), ' ×', atLeast(0.6)),
    goal('greatest share of a worker, to its fair part', Math.max(...parts), ' ×', atMost(1.4)),
  ],
})
