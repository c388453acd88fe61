/**
 * The cost of a second of streamed speech in the protocols of others, beside our own WebSocket: CPU of the gateway. A worker sends
 * frames of 40 ms at the pace of playback. The protocols take turns.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { startBackingServers } from './harness/backing-servers.mjs'
import { cpuSeconds } from './harness/child-process.mjs'
import { commandLine } from './harness/command-line.mjs'
import { needBuild } from './harness/installed.mjs'
import { serviceNames, startParlance } from './harness/parlance-services.mjs'
import { atMost, finish, goal, say, table } from './harness/report.mjs'
import { median } from './harness/statistics.mjs'
import { mintStreamToken, streamProtocol } from './harness/stream-token.mjs'
import { inTemporaryFolder } from './harness/temporary-folder.mjs'

const options = commandLine('a second of speech in the protocols of others', {
  rounds: { type: 'number', default: 3, help: 'times that each is measured' },
  seconds: { type: 'number', default: 15, help: 'of each round' },
  'warm-up': { type: 'number', default: 15, help: 'seconds of each protocol before the first round' },
  streams: { type: 'number', default: 50, help: 'at once' },
})
needBuild(...serviceNames)

const voice = '0'.repeat(32)
const text = 'real 3600'
const output = { format: 'pcm_s16le', sample_rate: 24_000 }

/** A request whose audio is read as it arrives. Resolves with the function that ends it. */
const request = async ({ url, authorization }, path, body) => {
  const leaving = new AbortController()
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: leaving.signal,
  })
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
  response.body.pipeTo(new WritableStream()).catch(() => {})
  return () => leaving.abort()
}

/** A socket that sends these messages once it is open. Resolves with its first audio. */
const socket = async ({ url, authorization }, path, { protocols = [], messages, isAudio }) => {
  const opened = new WebSocket(url.replace(/^http/, 'ws') + path, protocols, {
    perMessageDeflate: false,
    headers: { authorization },
  })
  opened.once('open', () => {
    for (const message of messages) opened.send(JSON.stringify(message))
  })
  await new Promise((resolve, reject) => {
    opened.once('error', reject)
    opened.once('close', (code) => reject(new Error(`${path} was closed with ${code}`)))
    opened.on('message', (data, isBinary) => isAudio(data, isBinary) && resolve())
  })
  return () => opened.terminate()
}

const ours = (audio_frames) => async (target) => {
  const token = await mintStreamToken(target)
  return socket({ url: target.url, authorization: `Bearer ${token}` }, '/v1/tts/stream', {
    protocols: [streamProtocol],
    messages: [
      { event: 'start', voice_id: voice, output, audio_frames, buffering: { mode: 'none' } },
      { event: 'text', text },
      { event: 'end' },
    ],
    isAudio: (data, isBinary) => isBinary || JSON.parse(data).event === 'audio',
  })
}

const openers = {
  'our WebSocket, binary': ours('binary'),
  'our WebSocket, base64': ours('base64'),
  'OpenAI, /v1/audio/speech': (target) =>
    request(target, '/v1/audio/speech', { model: 'tts-1', voice, input: text, response_format: 'pcm' }),
  'ElevenLabs, …/stream': (target) =>
    request(target, `/v1/compat/elevenlabs/v1/text-to-speech/${voice}/stream?output_format=pcm_24000`, { text }),
  'Deepgram, WS /v1/speak': (target) =>
    socket(target, `/v1/compat/deepgram/v1/speak?model=${voice}&encoding=linear16&sample_rate=24000`, {
      messages: [{ type: 'Speak', text }, { type: 'Flush' }],
      isAudio: (_, isBinary) => isBinary,
    }),
  'Cartesia, WS /tts/websocket': (target) =>
    socket(target, '/v1/compat/cartesia/tts/websocket', {
      messages: [
        {
          ...{ model_id: 'sonic-3', transcript: text, context_id: 'one' },
          voice: { mode: 'id', id: voice },
          output_format: { container: 'raw', encoding: 'pcm_s16le', sample_rate: 24_000 },
        },
      ],
      isAudio: (data) => JSON.parse(data).type === 'chunk',
    }),
}

/** CPU of the gateway for a second of one stream, in ms. */
const measure = async (open, target, pid, seconds) => {
  const streams = await Promise.all(Array.from({ length: options.streams }, () => open(target)))
  // The start of the streams uses CPU, which is not part of the cost.
  await delay(2_000)
  const before = cpuSeconds(pid)
  await delay(seconds * 1_000)
  const used = cpuSeconds(pid) - before
  for (const close of streams) close()
  await delay(1_000)
  return (used * 1_000) / (seconds * options.streams)
}

const figures = await inTemporaryFolder(async (folder) => {
  const servers = await startBackingServers()
  let product
  try {
    product = await startParlance({ servers, folder, speech: 'bench/harness/paced-worker.mjs' })
    const target = { url: product.url, authorization: product.authorizations[0] }
    const { pid } = product.processes.gateway
    const costs = Object.fromEntries(Object.keys(openers).map((name) => [name, []]))
    for (let round = 0; round <= options.rounds; round++) {
      for (const [name, open] of Object.entries(openers)) {
        const cost = await measure(open, target, pid, round === 0 ? options['warm-up'] : options.seconds)
        if (round > 0) costs[name].push(cost)
      }
      say(round === 0 ? 'warm' : `round ${round} of ${options.rounds}`)
    }
    return Object.fromEntries(Object.entries(costs).map(([name, values]) => [name, median(values)]))
  } finally {
    await product?.stop()
    await servers.stop()
  }
})

const [[, native], ...others] = Object.entries(figures)
const rows = Object.entries(figures).map(([name, cost]) => [name, cost.toFixed(3), (cost / native).toFixed(2)])
const { json, assert } = options
finish({
  json,
  assert,
  text: table([`${options.streams} streams`, 'CPU ms for a second', 'to the first'], rows),
  figures,
  goals: others.map(([name, cost]) => goal(name, cost / native, ' ×', atMost(1.3))),
})
