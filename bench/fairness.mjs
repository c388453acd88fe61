/**
 * How much longer a workspace waits for its first audio while another wants all there is.
 *
 * One speech worker on real NATS. The same short sentences, one at a time, in turns alone and beside a workspace that
 * keeps dozens of long texts in the air and reads them as fast as they come.
 */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { startProcess } from './harness/child-process.mjs'
import { commandLine } from './harness/command-line.mjs'
import { needBinary, needBuild, root } from './harness/installed.mjs'
import { atMost, finish, goal, say, table } from './harness/report.mjs'
import { median, percentile } from './harness/statistics.mjs'
import { inTemporaryFolder } from './harness/temporary-folder.mjs'
import { eventually } from './harness/waiting.mjs'

const options = commandLine('fairness', 'time to first audio beside a greedy workspace', {
  rounds: { type: 'number', default: 8, help: 'times that the two states take turns' },
  texts: { type: 'number', default: 50, help: 'long texts that the greedy workspace wants at once' },
  format: { type: 'string', default: 'pcm_s16le', help: 'of all audio' },
  processes: { type: 'number', default: 3, help: 'engine processes of the worker' },
})
needBuild('tts')
needBinary('nats-server', 'nats-server')

const requestsInRound = 20
const sentence = 'Good morning, how can I help you today?'

const { connectNatsBus, createClient } = await import('@parlance/bus')
const { ttsContract } = await import('@parlance/contracts')
const { createSynthesize } = await import('@parlance/speech-client')
const { startNatsServer } = await import('@parlance/testing')
const { voices } = await import('../engines/espeak-ng/dist/index.js')

/** The greedy workspace: `begin()`, and `stop()` that answers what it got. */
const startGreedy = async (url, voice) => {
  const program = join(root, 'bench/harness/greedy-caller.mjs')
  const child = spawn(process.execPath, [program, url, options.texts, options.format, voice], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  process.once('exit', () => child.kill('SIGKILL'))
  const lines = createInterface({ input: child.stdout })
  await once(lines, 'line')
  return {
    begin: () => child.stdin.write('begin\n'),
    async stop() {
      child.stdin.write('stop\n')
      const [line] = await once(lines, 'line')
      return JSON.parse(line)
    },
    async end() {
      child.stdin.end()
      await once(child, 'exit')
    },
  }
}

await inTemporaryFolder(async (folder) => {
  const nats = await startNatsServer()
  const worker = startProcess({
    name: 'tts',
    command: [process.execPath, join(root, 'services/tts/dist/main.js')],
    env: {
      NATS_URL: nats.url,
      TTS_ENGINE_PROCESSES: String(options.processes),
      // What is measured is speaking, not remembering.
      TTS_CACHE_MEGABYTES: '0',
      LOG_LEVEL: 'warn',
    },
    log: join(folder, 'tts.log'),
  })
  const bus = await connectNatsBus({ url: nats.url, name: 'bench' })
  const synthesize = createSynthesize(createClient(bus, ttsContract))
  const voice = voices[0].id
  const output = {
    format: options.format,
    sample_rate: 24_000,
    bit_rate: options.format === 'mp3' ? 64_000 : null,
  }
  const request = {
    workspace_id: randomUUID(),
    text: sentence,
    cuts: null,
    private: false,
    voice,
    variant: null,
    language: null,
    output,
    speed: 1,
    volume: 1,
    alignment: [],
  }
  const { signal } = new AbortController()

  let queuedMs = []
  const firstAudioMs = async () => {
    const startedMs = performance.now()
    let ms
    const speech = synthesize(request, { lane: 'espeak-ng', deadlineMs: 10_000 })
    await speech((chunk) => {
      if (chunk.event === 'started') queuedMs.push(chunk.queue_ms)
      if (chunk.event === 'audio') ms ??= performance.now() - startedMs
    }, signal)
    return ms
  }
  const measure = async (into) => {
    for (let turn = 0; turn < requestsInRound; turn++) {
      into.push(await firstAudioMs())
      await delay(5 + Math.random() * 10)
    }
  }

  await eventually('a worker', firstAudioMs)
  for (let turn = 0; turn < 20; turn++) await firstAudioMs()
  const greedy = await startGreedy(nats.url, voice)
  const alone = []
  const beside = []
  const queued = []
  let greedyAudioMs = 0
  for (let round = 0; round < options.rounds; round++) {
    await measure(alone)
    greedy.begin()
    await delay(500)
    queuedMs = []
    await measure(beside)
    queued.push(...queuedMs)
    const got = await greedy.stop()
    greedyAudioMs += got.audioMs
    await delay(300)
    say(
      `round ${round + 1}: ${Math.round(got.audioMs / 1000)} s of audio and ${got.refusals} refusals for the greedy one`,
    )
  }
  await greedy.end()
  await bus.close()
  await worker.stop()
  await nats.stop()

  const row = (values) => [median(values), percentile(values, 0.95), Math.max(...values)]
  const rows = [
    ['alone', ...row(alone)],
    ['beside the greedy one', ...row(beside)],
    ['of that in the queue', ...row(queued)],
    ['ratio', ...row(beside).map((value, at) => value / row(alone)[at])],
  ].map(([name, ...values]) => [name, ...values.map((value) => value.toFixed(2))])
  finish({
    ...options,
    text: table(['first audio, ms', 'median', 'p95', 'longest'], rows),
    figures: { alone, beside, queued, greedyAudioMs },
    goals: [goal('median beside / alone', median(beside) / median(alone), ' ×', atMost(2))],
  })
})
