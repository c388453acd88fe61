// Ten clients of six kinds, of three workspaces, speak at once, five times. The audio of each is like that of its own text spoken alone, and
// unlike that of every other text; and each workspace is charged what its own texts cost alone.
import { createRequire } from 'node:module'
import { setTimeout as delay } from 'node:timers/promises'
import { DeepgramClient } from '@deepgram/sdk'
import { ElevenLabsClient } from '@elevenlabs/elevenlabs-js'
import OpenAI from 'openai'
import WebSocket from 'ws'
import { bytesOf, check, credit, key, url, voice } from './checks.mjs'

const { Cartesia } = createRequire(import.meta.url)('@cartesia/cartesia-js')

const keys = [key, ...process.env.PARLANCE_OTHER_KEYS.split(',')]
const base = `${url}/v1/compat`
const rounds = 5

const openai = (apiKey) => async (input) => {
  const client = new OpenAI({ apiKey, baseURL: `${url}/v1`, maxRetries: 0 })
  return bytesOf((await client.audio.speech.create({ model: 'tts-1', voice, input, response_format: 'pcm' })).body)
}

const elevenlabs = (apiKey) => async (text) => {
  const client = new ElevenLabsClient({ apiKey, baseUrl: `${base}/elevenlabs`, maxRetries: 0 })
  return bytesOf(await client.textToSpeech.stream(voice, { text, outputFormat: 'pcm_24000' }))
}

const deepgram = (apiKey) => async (text) => {
  const environment = { base: `${base}/deepgram`, production: '', agent: '', agentRest: '' }
  const client = new DeepgramClient({ apiKey, environment, maxRetries: 0 })
  const form = { model: voice, encoding: 'linear16', container: 'none', sample_rate: 24_000 }
  return bytesOf((await client.speak.v1.audio.generate({ text, ...form })).stream())
}

const cartesia = (apiKey) => async (transcript) => {
  const client = new Cartesia({ apiKey, baseURL: `${base}/cartesia`, maxRetries: 0 })
  const output_format = { container: 'raw', encoding: 'pcm_s16le', sample_rate: 24_000 }
  const request = { model_id: 'sonic-3', voice: { mode: 'id', id: voice }, language: 'en', transcript, output_format }
  return bytesOf((await client.tts.generate(request)).body)
}

const post = (apiKey, path, body) =>
  fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

const output = { format: 'pcm_s16le', sample_rate: 24_000 }

const request = (apiKey) => async (text) =>
  bytesOf((await post(apiKey, '/v1/tts', { text, voice_id: voice, output })).body)

/** The bytes of the header of an audio frame. */
const headerBytes = 12

const stream = (apiKey) => async (text) => {
  const { token, websocket_url } = await (await post(apiKey, '/v1/tts/stream-tokens', {})).json()
  const socket = new WebSocket(websocket_url, ['awp.tts.v1', `awp.token.${token}`])
  const parts = []
  await new Promise((resolve, reject) => {
    socket.on('error', reject)
    socket.on('open', () => {
      const start = { event: 'start', voice_id: voice, audio_frames: 'binary', output }
      for (const message of [start, { event: 'text', text }, { event: 'end' }]) socket.send(JSON.stringify(message))
    })
    socket.on('message', (data, isBinary) => {
      if (isBinary) return parts.push(data.subarray(headerBytes))
      const message = JSON.parse(data)
      if (message.event === 'done') resolve()
      if (message.event === 'error') reject(new Error(message.detail))
    })
  })
  socket.close()
  return Buffer.concat(parts)
}

const kinds = { openai, elevenlabs, deepgram, cartesia, request, stream }
const clients = [...Object.entries(kinds), ...Object.entries(kinds).slice(0, 4)].map(([kind, connect], index) => ({
  name: `${kind} ${index + 1}`,
  workspace: index % keys.length,
  speak: connect(keys[index % keys.length]),
}))

const numbers = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const textOf = (index, round) => `This is caller ${numbers[index]}, who calls for the ${numbers[round]}th time.`

/** The energy of each 10 ms. Two syntheses of a text have the same, though not the same samples. */
const energies = (pcm) => {
  const frames = []
  for (let at = 0; at + 480 <= pcm.length; at += 480) {
    let sum = 0
    for (let byte = at; byte < at + 480; byte += 2) sum += Math.abs(pcm.readInt16LE(byte))
    frames.push(sum)
  }
  return frames
}

/** From 0 for equal audio to about 1. */
const difference = (a, b) => {
  const length = Math.max(a.length, b.length)
  const sum = (of) =>
    Array.from({ length }, (_, n) => of(a[n] ?? 0, b[n] ?? 0)).reduce((total, each) => total + each, 0)
  return sum((x, y) => Math.abs(x - y)) / sum((x, y) => x + y)
}

/** Those whose audio is not clearly that of their own text. */
const crossed = (together, alone) => {
  const references = alone.map(energies)
  return clients.filter((_, index) => {
    const audio = energies(together[index])
    const [own, ...others] = [references[index], ...references.filter((_, other) => other !== index)]
    return !(difference(audio, own) < Math.min(...others.map((other) => difference(audio, other))) / 2)
  })
}

/** The credit of each workspace, once nothing more is charged for a second. */
const settledCredit = async () => {
  for (let last = ''; ; ) {
    const balances = await Promise.all(keys.map((of) => credit({ of })))
    if (balances.join() === last) return balances
    last = balances.join()
    await delay(1_000)
  }
}

/** What each workspace pays while `work` runs. */
const spending = async (work) => {
  const before = await settledCredit()
  const result = await work()
  const after = await settledCredit()
  return { result, spent: before.map((balance, index) => (balance - after[index]).toFixed(9)) }
}

await check(
  'ten clients of six kinds',
  'at once, each gets its own audio, and each workspace pays for its own',
  async () => {
    const all = async (round) => Promise.all(clients.map(({ speak }, index) => speak(textOf(index, round))))
    for (let round = 0; round < rounds; round++) {
      const together = await spending(() => all(round))
      const alone = await spending(async () => {
        const spoken = []
        for (const [index, { speak }] of clients.entries()) spoken.push(await speak(textOf(index, round)))
        return spoken
      })
      const wrong = crossed(together.result, alone.result)
      if (wrong.length > 0) throw new Error(`other audio for ${wrong.map(({ name }) => name).join(', ')}`)
      if (together.spent.join() !== alone.spent.join())
        throw new Error(`${together.spent} at once, ${alone.spent} alone`)
    }
    return `${rounds} rounds`
  },
)
