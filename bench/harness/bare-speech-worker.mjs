/**
 * The lower limit of the cost of a text for a worker: it takes texts from the bus (JSON `{ text, index, sampleRateHz }`),
 * has an engine speak them, and answers with what comes out of its pipe, at the sample rate that was asked for: each answer is
 * a frame for the client, and an empty one the end. In the environment `NATS_URL`, `SUBJECT`, `ENGINES` (how many) and
 * `IMPLEMENTATION` (of eSpeak NG).
 */
import { setPriority } from 'node:os'
import { createResampler } from '@parlance/audio/encoding'
import { connectNatsBus } from '@parlance/bus'
import { tuneGarbageCollection } from '../../libs/runtime/dist/run.js'
import { startEngine } from './engine-process.mjs'
import { frameHeaderBytes, writeFrameHeader } from './stream-frame.mjs'

tuneGarbageCollection()
const bus = await connectNatsBus({ url: process.env.NATS_URL, name: 'bench-bare-speech-worker' })

const bytesOf = ({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength)

const speak = async (engine, { text, index, sampleRateHz }, reply) => {
  const { sampleRateHz: fromHz, voices } = engine.hello
  const resampler = fromHz === sampleRateHz ? undefined : createResampler({ fromHz, toHz: sampleRateHz })
  let seq = 0
  let samplesSent = 0
  const send = (pcm) => {
    if (pcm.length === 0) return
    const header = Buffer.alloc(frameHeaderBytes)
    writeFrameHeader(header, index, seq, (samplesSent * 1000) / sampleRateHz)
    bus.publish(reply, [header, bytesOf(pcm)])
    seq += 1
    samplesSent += pcm.length
  }
  await engine.spokenMs({ text, voiceId: voices[0].id }, (pcm) => send(resampler?.resample(pcm) ?? pcm))
  if (resampler !== undefined) send(resampler.finish())
  bus.publish(reply, new Uint8Array(0))
}

const waiting = []
const idle = []
const next = async (engine) => {
  const job = waiting.shift()
  if (job === undefined) return idle.push(engine)
  await speak(engine, job.wish, job.reply)
  return next(engine)
}
for (let n = 0; n < Number(process.env.ENGINES); n++) {
  const engine = await startEngine(process.env.IMPLEMENTATION)
  // It has the same lower priority as Parlance's engines.
  setPriority(engine.pid, 15)
  idle.push(engine)
}
bus.subscribe(process.env.SUBJECT, ({ data, reply }) => {
  waiting.push({ wish: JSON.parse(data), reply })
  const engine = idle.shift()
  if (engine !== undefined) void next(engine)
})
await bus.flush()
console.log('ready')
