/**
 * The time from a request to its first byte of audio, and the part of it that the engine itself needs.
 *
 * `POST /v1/tts` over HTTP against the same engine spoken to over its own pipe: the same sentences, one at a time, all
 * ways in random order for each sentence. Measured with one process per service over real NATS, Redis and Postgres,
 * and with everything in one process.
 */
import { Agent, request } from 'node:http'
import { startBackingServers } from './harness/backing-servers.mjs'
import { commandLine } from './harness/command-line.mjs'
import { startEngine } from './harness/engine-process.mjs'
import { needBuild } from './harness/installed.mjs'
import { serviceNames, startParlance } from './harness/parlance-services.mjs'
import { atMost, finish, goal, say, table } from './harness/report.mjs'
import { sampleSentences } from './harness/sample-sentences.mjs'
import { newSeed, seededOrder } from './harness/seeded-order.mjs'
import { startStandalone } from './harness/standalone.mjs'
import { median, percentile } from './harness/statistics.mjs'
import { inTemporaryFolder } from './harness/temporary-folder.mjs'

const options = commandLine('time to the first audio byte, beside that of the engine', {
  rounds: { type: 'number', default: 4, help: 'times each sentence is spoken in each way' },
  seed: { type: 'number', default: newSeed(), help: 'of the order, to repeat a run' },
})

const formats = ['pcm_s16le', 'wav', 'mp3', 'opus']

const wavHeaderBytes = 44

/** Whether the first bytes of a body contain audio and not only headers. */
const holdsAudio = (format, bytes) => {
  if (format === 'wav') return bytes.length > wavHeaderBytes
  // The first two pages of Ogg Opus are headers.
  if (format === 'opus') return bytes.toString('latin1').split('OggS').length > 3
  return bytes.length > 0
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

/** ms from sending a request to the first byte of its audio. The body is read to its end. */
const firstByteMs = ({ url, headers }, format, { text, voiceId }) =>
  new Promise((resolve, reject) => {
    const body = JSON.stringify({ text, voice_id: voiceId, output: { format } })
    const startedMs = performance.now()
    const sent = request(`${url}/v1/tts`, {
      agent,
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
    })
    sent.once('error', reject)
    sent.once('response', (response) => {
      let start = Buffer.alloc(0)
      let firstMs
      response.on('data', (chunk) => {
        if (firstMs !== undefined) return
        start = Buffer.concat([start, chunk])
        if (response.statusCode === 200 && holdsAudio(format, start)) firstMs = performance.now() - startedMs
      })
      response.once('error', reject)
      response.once('end', () => {
        if (firstMs === undefined)
          reject(new Error(`${format}: ${response.statusCode} ${start.toString().slice(0, 300)}`))
        else resolve(firstMs)
      })
    })
    sent.end(body)
  })

/** Figures of every way to speak. Delays behind the engine are compared for each sentence, since sentences differ. */
const measure = async (engine, product, voiceId) => {
  const ways = [
    { name: 'engine', speak: (sentence) => engine.speak(sentence) },
    ...formats.map((format) => ({ name: format, speak: (sentence) => firstByteMs(product, format, sentence) })),
  ]
  const inOrder = seededOrder(options.seed)
  const turns = []
  for (let round = 0; round <= options.rounds; round++) {
    for (const text of inOrder(sampleSentences)) {
      const turn = {}
      for (const { name, speak } of inOrder(ways)) turn[name] = await speak({ text, voiceId })
      // The first round warms up.
      if (round > 0) turns.push(turn)
    }
  }
  const figuresOf = (name) => {
    const ms = turns.map((turn) => turn[name])
    const behindMs = turns.map((turn) => turn[name] - turn.engine)
    return { medianMs: median(ms), p95Ms: percentile(ms, 0.95), behindMs: median(behindMs) }
  }
  return Object.fromEntries(ways.map(({ name }) => [name, figuresOf(name)]))
}

const inOneProcessEach = (engine, voiceId) =>
  inTemporaryFolder(async (folder) => {
    const servers = await startBackingServers()
    let product
    try {
      product = await startParlance({ servers, folder })
      return await measure(engine, product, voiceId)
    } finally {
      await product?.stop()
      await servers.stop()
    }
  })

const inOneProcess = (engine, voiceId) =>
  inTemporaryFolder(async (folder) => {
    const product = await startStandalone({ folder })
    try {
      return await measure(engine, product, voiceId)
    } finally {
      await product.stop()
    }
  })

needBuild(...serviceNames, 'standalone')

const engine = await startEngine()
try {
  const voiceId = engine.hello.voices[0].id
  say('one process each, real NATS, Redis and Postgres ...')
  const distributed = await inOneProcessEach(engine, voiceId)
  say('all in one process ...')
  const standalone = await inOneProcess(engine, voiceId)

  const text = table(
    ['ms to the first audio', 'median', 'p95', 'behind the engine'],
    [
      ['one process each', distributed],
      ['standalone', standalone],
    ].flatMap(([setUp, figures]) =>
      Object.entries(figures).map(([name, { medianMs, p95Ms, behindMs }]) => [
        `${setUp}: ${name}`,
        medianMs.toFixed(2),
        p95Ms.toFixed(2),
        name === 'engine' ? '' : behindMs.toFixed(2),
      ]),
    ),
  )
  const goals = formats.flatMap((format) => [
    goal(`${format}, one process each, behind the engine`, distributed[format].behindMs, ' ms', atMost(10)),
    goal(`${format}, standalone, behind the engine`, standalone[format].behindMs, ' ms', atMost(10)),
  ])
  const { json, assert, seed } = options
  finish({ json, assert, text, figures: { seed, distributed, standalone }, goals })
} finally {
  engine.stop()
  agent.destroy()
}
