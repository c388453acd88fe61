/**
 * The latency of a neural voice: the first audio over WebSocket and HTTP with an idle engine, word by word, and for a
 * caller that comes just after another has cancelled within a sentence; how many listeners are served without a gap, who come
 * at the same time and each hear a text to its end before the next; what is billed to a caller of MP3 who hangs up; and the
 * threads, processes and memory that the model was given.
 *
 * Everything runs in one process with its engine processes beside it, as `npm start` does, with one model of a models
 * folder. Results depend on the processor and its other work, so the load average is printed with them.
 */
import { cp, writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { commandLine } from '../../../bench/harness/command-line.mjs'
import { needBuild } from '../../../bench/harness/installed.mjs'
import { memoryOf, processTree } from '../../../bench/harness/process-memory.mjs'
import { atMost, finish, goal, say, table } from '../../../bench/harness/report.mjs'
import { longerSentences } from '../../../bench/harness/sample-sentences.mjs'
import { newSeed, seededOrder, seededRandom } from '../../../bench/harness/seeded-order.mjs'
import { requestSpeech } from '../../../bench/harness/speech-request.mjs'
import { startStandalone } from '../../../bench/harness/standalone.mjs'
import { median, percentile } from '../../../bench/harness/statistics.mjs'
import { connectCaller } from '../../../bench/harness/stream-caller.mjs'
import { inTemporaryFolder } from '../../../bench/harness/temporary-folder.mjs'

const options = commandLine('time to the first audio of a neural voice', {
  model: { type: 'string', default: '', help: 'the folder of a model, as `parlance models install` makes it' },
  rounds: { type: 'number', default: 3, help: 'times each text is spoken in each way' },
  listeners: { type: 'string', default: '1,4,8,16', help: 'that come at the same time, by commas' },
  'word-ms': { type: 'number', default: 40, help: 'between two words of a text that is sent word by word' },
  seed: { type: 'number', default: newSeed(), help: 'of the order, to repeat a run' },
})
if (options.model === '') {
  console.error('--model names the folder of a model, such as models/en_US-joe-medium.\nTry: --help')
  process.exit(2)
}
needBuild('standalone')

const texts = [
  ...longerSentences,
  'When the old bridge was closed for repairs last autumn, most people who live on the other side of the river began to take the ferry, which turned out to be faster.',
  'The report that you sent us contains all of the figures that we need for the coming year except those of the northern branch.',
]
const longText = texts.join(' ')

/** About fifteen seconds: the text that a listener hears before it requests the next. */
const listenedText = (round) =>
  [0, 1, 2].map((each) => longerSentences[(3 * round + each) % longerSentences.length]).join(' ')

const startVoice = async (folder) => {
  const name = basename(resolve(options.model))
  const models = join(folder, 'models')
  await cp(resolve(options.model), join(models, name), { recursive: true, dereference: true })
  const engines = { local: { type: 'sherpa-onnx', models_dir: models } }
  await writeFile(join(folder, 'engines.json'), JSON.stringify({ engines }))
  const product = await startStandalone({ folder, env: { TTS_ENGINES_FILE: join(folder, 'engines.json') } })
  const { voices } = await (await fetch(`${product.url}/v1/voices`, { headers: product.headers })).json()
  const { authorization } = product.headers
  return { ...product, authorization, voiceId: voices[0].id }
}

const httpSpeech = async ({ url, authorization, voiceId }, text) => {
  const body = JSON.stringify({ text, voice_id: voiceId, output: { format: 'pcm_s16le' } })
  const { status, firstMs } = await requestSpeech({ url, authorization, body })
  if (status !== 200) throw Object.assign(new Error(`HTTP ${status}`), { refusal: `http_${status}` })
  return firstMs
}

const streamSpeech = async (caller, { voiceId }, text, wordMs = 0) => {
  const { ttfaMs } = await caller.speak({ text, voiceId, wordMs })
  return ttfaMs
}

const summaryOf = (values) => ({
  p50Ms: median(values),
  p95Ms: percentile(values, 0.95),
  maxMs: Math.max(...values),
  count: values.length,
})

/** The engine is idle before each text. */
const measureIdle = async (voice, inOrder) => {
  const firstMs = { webSocket: [], wordByWord: [], http: [] }
  const caller = await connectCaller(voice)
  for (let round = 0; round <= options.rounds; round++) {
    for (const text of inOrder(texts)) {
      for (const way of inOrder(['webSocket', 'wordByWord', 'http'])) {
        const wordMs = way === 'wordByWord' ? options['word-ms'] : 0
        const ms = await (way === 'http' ? httpSpeech(voice, text) : streamSpeech(caller, voice, text, wordMs))
        // The first round warms up.
        if (round > 0) firstMs[way].push(ms)
      }
    }
  }
  caller.close()
  return {
    webSocket: summaryOf(firstMs.webSocket),
    wordByWord: summaryOf(firstMs.wordByWord),
    http: summaryOf(firstMs.http),
  }
}

/** Listeners that come at once, and each hear a text to its end before the next. Failures are counted and not retried. */
const measureTogether = async (voice, count) => {
  const streams = []
  const failures = {}
  const listener = async (index) => {
    const caller = await connectCaller(voice)
    for (let round = 0; round < options.rounds; round++) {
      try {
        const stream = await caller.speak({ text: listenedText(index + round), voiceId: voice.voiceId, wordMs: 0 })
        streams.push(stream)
        await delay(Math.max(0, stream.ttfaMs + stream.audioMs - stream.doneAfterMs))
      } catch (error) {
        const code = error.refusal ?? error.message
        failures[code] = (failures[code] ?? 0) + 1
      }
    }
    caller.close()
  }
  await Promise.all(Array.from({ length: count }, (_, index) => listener(index)))
  const failed = Object.values(failures).reduce((total, count) => total + count, 0)
  return {
    count,
    firstAudio: streams.length === 0 ? undefined : summaryOf(streams.map(({ ttfaMs }) => ttfaMs)),
    withoutGap: streams.filter(({ lateFrames }) => lateFrames === 0).length / (streams.length + failed),
    failed,
    failures,
  }
}

/** The same texts with an idle engine, and just after another caller has cancelled within a long text. */
const measureAfterCancel = async (voice, inOrder, random) => {
  const firstMs = { idle: [], afterCancel: [] }
  const caller = await connectCaller(voice)
  for (let round = 0; round < options.rounds; round++) {
    for (const text of inOrder(texts)) {
      for (const way of inOrder(['idle', 'afterCancel'])) {
        if (way === 'afterCancel') {
          const leaving = await connectCaller(voice)
          leaving.speak({ text: longText, voiceId: voice.voiceId, wordMs: 0 }).catch(() => {})
          await delay(300 + 900 * random())
          leaving.close()
        } else await delay(1500)
        firstMs[way].push(await streamSpeech(caller, voice, text))
      }
    }
  }
  caller.close()
  return {
    idle: summaryOf(firstMs.idle),
    afterCancel: summaryOf(firstMs.afterCancel),
    costMs: median(firstMs.afterCancel) - median(firstMs.idle),
  }
}

const mp3BytesPerSecond = 8_000

/** What callers of MP3 who hang up after some seconds of it received, beside what they are billed, in characters. */
const measureHangUps = async ({ url, headers, voiceId }) => {
  const post = (body, signal) => {
    const json = JSON.stringify({ text: longText, voice_id: voiceId, ...body })
    const sent = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: json, signal }
    return fetch(`${url}/v1/tts`, sent)
  }
  const billed = async () => {
    const { usage } = await (await fetch(`${url}/v1/usage?group_by=kind`, { headers })).json()
    return usage.find(({ key }) => key === 'tts')?.tts_characters ?? 0
  }
  /** Work is settled in the background. */
  const billedAtRest = async () => {
    await delay(1_000)
    return billed()
  }
  const spoken = await (await post({ response_mode: 'json' })).json()
  const charactersPerSecond = (1000 * longText.length) / spoken.audio_duration_ms
  const hangUps = []
  for (let round = 0; round < options.rounds; round++) {
    const before = await billedAtRest()
    const caller = new AbortController()
    const response = await post({ output: { format: 'mp3', bit_rate: 8 * mp3BytesPerSecond } }, caller.signal)
    const reader = response.body.getReader()
    let bytes = 0
    while (bytes < 5 * (round + 1) * mp3BytesPerSecond) {
      const { done, value } = await reader.read()
      if (done) break
      bytes += value.length
    }
    caller.abort()
    const received = Math.round((bytes / mp3BytesPerSecond) * charactersPerSecond)
    hangUps.push({ received, billed: (await billedAtRest()) - before, characters: longText.length })
  }
  return hangUps
}

/** The processes of the model. */
const engineProcesses = ({ pid }) =>
  processTree(pid)
    .map(memoryOf)
    .filter(({ command }) => command.includes('sherpa-onnx'))

const loadNow = () => loadavg()[0]

await inTemporaryFolder(async (folder) => {
  const voice = await startVoice(folder)
  try {
    const inOrder = seededOrder(options.seed)
    const loads = [loadNow()]
    const loaded = engineProcesses(voice)
    say('an idle engine ...')
    const idle = await measureIdle(voice, inOrder)
    loads.push(loadNow())
    const together = []
    for (const count of options.listeners.split(',').map(Number)) {
      say(`${count} listeners at once ...`)
      together.push(await measureTogether(voice, count))
      loads.push(loadNow())
    }
    say('after a cancel ...')
    const cancel = await measureAfterCancel(voice, inOrder, seededRandom(options.seed))
    loads.push(loadNow())
    say('callers of MP3 who hang up ...')
    const hangUps = await measureHangUps(voice)
    const engine = {
      threads: Number(/"threads":(\d+)/.exec(loaded[0].command)[1]),
      processes: loaded.length,
      loadedMb: Math.max(...loaded.map(({ rssMb }) => rssMb)),
      highestMb: Math.max(...engineProcesses(voice).map(({ highestMb }) => highestMb)),
    }
    const row = (name, { p50Ms, p95Ms, maxMs, count }) => [
      name,
      p50Ms.toFixed(0),
      p95Ms.toFixed(0),
      maxMs.toFixed(0),
      count,
    ]
    const text = [
      table(
        ['ms to the first audio', 'p50', 'p95', 'longest', 'texts'],
        [
          row('WebSocket, idle', idle.webSocket),
          row('HTTP, idle', idle.http),
          row(`WebSocket, a word each ${options['word-ms']} ms`, idle.wordByWord),
          row('WebSocket, idle', cancel.idle),
          row('WebSocket, just after a cancel', cancel.afterCancel),
        ],
      ),
      table(
        ['listeners at once', 'first audio p50 ms', 'p95', 'streams without a gap', 'refused or cut'],
        together.map(({ count, firstAudio, withoutGap, failed }) => [
          count,
          firstAudio?.p50Ms.toFixed(0) ?? '',
          firstAudio?.p95Ms.toFixed(0) ?? '',
          `${(100 * withoutGap).toFixed(0)} %`,
          failed,
        ]),
      ),
      table(
        ['the model', ''],
        [
          ['threads of a process', engine.threads],
          ['processes', engine.processes],
          ['memory of a process, loaded, MB', engine.loadedMb.toFixed(0)],
          ['the most it had, MB', engine.highestMb.toFixed(0)],
        ],
      ),
      table(
        ['MP3, hung up: characters', 'received', 'billed'],
        hangUps.map(({ characters, received, billed }) => [`of ${characters}`, received, billed]),
      ),
      `load average: ${loads.map((load) => load.toFixed(1)).join(', ')}`,
      ...together.flatMap(({ count, failures }) =>
        Object.entries(failures).map(([code, times]) => `of ${count} listeners ${times} texts failed: ${code}`),
      ),
    ].join('\n\n')
    const goals = [
      goal('WebSocket, idle, p50', idle.webSocket.p50Ms, ' ms', atMost(450)),
      goal('word by word, after the first word, p50', idle.wordByWord.p50Ms, ' ms', atMost(350)),
      goal('HTTP, idle, p50', idle.http.p50Ms, ' ms', atMost(500)),
      goal('delay by a cancel for the next caller, p50', cancel.costMs, ' ms', atMost(50)),
      goal('memory of a process', engine.highestMb, ' MB', atMost(650)),
      goal(
        'billed and not received, most',
        Math.max(...hangUps.map(({ received, billed }) => billed - received)),
        ' characters',
        atMost(50),
      ),
    ]
    const { json, assert, seed } = options
    finish({ json, assert, text, figures: { seed, loads, idle, together, cancel, engine, hangUps }, goals })
  } finally {
    await voice.stop()
  }
})
