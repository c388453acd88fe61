// A text has the same duration and the same pauses, whether a neural voice receives it at once, over HTTP, or word by word over
// the WebSocket.
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import { startStandalone } from '../../bench/harness/standalone.mjs'
import { mean } from '../../bench/harness/statistics.mjs'
import { frameHeaderBytes } from '../../bench/harness/stream-frame.mjs'
import { mintStreamToken, streamProtocol } from '../../bench/harness/stream-token.mjs'
import { createLogger } from '../../libs/telemetry/dist/index.js'
import { openSherpaOnnxEngines, sherpaOnnxEngineConfig } from '../../services/tts/dist/engine/sherpa-onnx-engine.js'
import { speak as requestSpeech } from './speech-calls.mjs'

const text =
  'The train leaves at nine. Is that soon enough for you? We could also walk as well… It takes an hour.\n\nWell then! Let us go before it rains again.'
/** The pauses that its punctuation requires, in ms. */
const pausesMs = [350, 350, 450, 700, 350]
/** Shorter pauses are within a sentence. */
const shortestMs = 270
const toleranceMs = 60
/** The pace of such a model is random: the durations of several speeches are compared. */
const speeches = 3
const maxDifference = 0.03

const sampleRateHz = 22_050
const silenceLevel = 103
const output = { format: 'pcm_s16le', sample_rate: sampleRateHz }
const msOf = (samples) => (samples * 1000) / sampleRateHz
const pcmOf = (bytes) => new Int16Array(new Uint8Array(bytes).buffer)

/** The pauses between sounds, and the time from the first sound to the last. */
const measure = (pcm) => {
  const isSound = (sample) => Math.abs(sample) > silenceLevel
  const last = pcm.findLastIndex(isSound)
  const pauses = []
  let soundAt = pcm.findIndex(isSound)
  const first = soundAt
  for (let at = soundAt; at <= last; at++) {
    if (!isSound(pcm[at])) continue
    if (msOf(at - soundAt) >= shortestMs) pauses.push(msOf(at - soundAt))
    soundAt = at
  }
  return { pauses, durationMs: msOf(last - first) }
}

const checkPauses = (way, pauses) => {
  const shown = `${way}: pauses of ${pauses.map((ms) => ms.toFixed(0)).join(', ')} ms`
  assert.equal(pauses.length, pausesMs.length, shown)
  for (const [index, ms] of pauses.entries()) assert.ok(Math.abs(ms - pausesMs[index]) <= toleranceMs, shown)
}

const overHttp = async (platform) => {
  const speech = await requestSpeech(platform, { id: platform.voiceId }, text, output)
  return pcmOf(await speech.arrayBuffer())
}

const overWebSocket = async ({ url, headers, voiceId }) => {
  const token = await mintStreamToken({ url, authorization: headers.authorization })
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/v1/tts/stream`, [streamProtocol, `awp.token.${token}`])
  const frames = []
  try {
    await new Promise((resolve, reject) => {
      const send = (message) => socket.send(JSON.stringify({ context_id: 'one', ...message }))
      socket.once('error', reject)
      socket.once('close', () => reject(new Error('the connection was closed')))
      socket.on('message', (data, isBinary) => {
        if (isBinary) return frames.push(data.subarray(frameHeaderBytes))
        const message = JSON.parse(data)
        if (message.event === 'error') reject(new Error(message.detail))
        if (message.event === 'done') resolve()
        if (message.event !== 'ready') return
        send({ event: 'start', voice_id: voiceId, audio_frames: 'binary', output })
        for (const word of text.split(/(?<=\s)(?=\S)/)) send({ event: 'text', text: word })
        send({ event: 'end' })
      })
    })
  } finally {
    socket.terminate()
  }
  return pcmOf(Buffer.concat(frames))
}

/** The engine, given all of the text at once. */
const byEngine = async (engine) => {
  const [voice] = engine.voices
  const utterance = { text, voiceId: voice.id, variant: voice.variants[0].id, language: null, speed: 1, volume: 1 }
  const samples = []
  for await (const event of engine.speak(utterance, { signal: new AbortController().signal })) {
    if (event.kind === 'audio') samples.push(...event.pcm)
  }
  return Int16Array.from(samples)
}

const openEngine = async (modelsDir) => {
  const config = sherpaOnnxEngineConfig.parse({ type: 'sherpa-onnx', models_dir: modelsDir, processes: 1 })
  const logger = createLogger({ name: 'model-tests', destination: { write: () => {} } })
  const [engine] = await openSherpaOnnxEngines('whole', config, { logger, readSecret: () => '', onReplace: () => {} })
  await new Promise((resolve) => {
    if (engine.healthy()) resolve()
    else engine.onHealthChange(resolve)
  })
  return engine
}

const speak = async (way, work) => {
  const durationsMs = []
  for (let n = 0; n < speeches; n++) {
    const { pauses, durationMs } = measure(await work())
    checkPauses(way, pauses)
    durationsMs.push(durationMs)
  }
  return mean(durationsMs)
}

/**
 * Rejects with an `AssertionError` unless the only model of a folder pauses alike in all ways. Resolves with what was
 * measured.
 */
export const testPauses = async (modelsDir, folder) => {
  const engine = await openEngine(modelsDir)
  const wholeMs = await speak('the engine', () => byEngine(engine)).finally(() => engine.close())

  const file = join(folder, 'engines.json')
  await writeFile(file, JSON.stringify({ engines: { local: { type: 'sherpa-onnx', models_dir: modelsDir } } }))
  const platform = await startStandalone({ folder, env: { TTS_ENGINES_FILE: file } })
  try {
    const { voices } = await (await fetch(`${platform.url}/v1/voices`, { headers: platform.headers })).json()
    const voice = { ...platform, voiceId: voices[0].id }
    const ways = { HTTP: overHttp, WebSocket: overWebSocket }
    const ratios = []
    for (const [way, work] of Object.entries(ways)) {
      const ratio = (await speak(way, () => work(voice))) / wholeMs
      assert.ok(Math.abs(ratio - 1) < maxDifference, `${way} lasts ${ratio.toFixed(3)} times as long as the engine`)
      ratios.push(`${way} ${ratio.toFixed(3)}`)
    }
    return `${ratios.join(', ')} times as long as the engine speaking the whole (${(wholeMs / 1000).toFixed(1)} s)`
  } finally {
    await platform.stop()
  }
}
