/**
 * What encoding costs: `node libs/audio/bench/encoders.mjs [seconds of audio]`, after a build. For every format and
 * input rate: seconds of audio per second of CPU, the time to create an encoder (median, warm), and how
 * the process has grown over 10,000 MP3 encoders.
 */

import { resolveOutput } from '@parlance/audio'
import { audioFormats, sampleRatesHz } from '@parlance/contracts'
import { createAudioEncoder, warmEncoders } from '../dist/encoding/index.js'

const audioSeconds = Number(process.argv[2] ?? 20)
const rounds = 3

/** A voice-like buzz with noise, which is not trivial to encode. */
const buzz = (sampleRateHz) =>
  Int16Array.from({ length: sampleRateHz * audioSeconds }, (_, i) => {
    const seconds = i / sampleRateHz
    const pitchHz = 120 + 30 * Math.sin(seconds * 5)
    const voice = [1, 2, 3, 5, 9, 14].reduce((sum, k) => sum + Math.sin(2 * Math.PI * pitchHz * k * seconds) / k, 0)
    return 5000 * (1 + Math.sin(seconds * 20)) * voice * 0.4 + (Math.random() - 0.5) * 600
  })

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]

const cpuSeconds = (work) => {
  const start = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1e6
}

const encodeAll = (encoder, pcm, chunkSamples) => {
  for (let at = 0; at < pcm.length; at += chunkSamples) encoder.encode(pcm.subarray(at, at + chunkSamples))
  encoder.finish()
}

/** Gives released encoders time to be set up again, as a service does between requests. */
const idleTurn = () => new Promise((resolve) => setTimeout(resolve, 5))

await warmEncoders()

console.log('format              input Hz  audio-s per CPU-s   encoder ready, ms')
for (const inputSampleRateHz of [22050, 24000]) {
  const pcm = buzz(inputSampleRateHz)
  for (const output of audioFormats.flatMap((format) =>
    sampleRatesHz[format].map((sample_rate) => resolveOutput({ format, sample_rate })),
  )) {
    const speeds = []
    for (let round = 0; round < rounds; round++) {
      const encoder = await createAudioEncoder({ output, inputSampleRateHz })
      speeds.push(audioSeconds / cpuSeconds(() => encodeAll(encoder, pcm, inputSampleRateHz / 50)))
    }
    const waits = []
    for (let round = 0; round < 20; round++) {
      await idleTurn()
      const start = performance.now()
      const encoder = await createAudioEncoder({ output, inputSampleRateHz })
      waits.push(performance.now() - start)
      encoder.finish()
    }
    const name = `${output.format} ${output.sample_rate}`
    const [speed, wait] = [median(speeds).toFixed(0), median(waits).toFixed(2)]
    console.log(`${name.padEnd(20)}${String(inputSampleRateHz).padEnd(10)}${speed.padStart(17)}${wait.padStart(20)}`)
  }
}

const mp3 = resolveOutput({ format: 'mp3' })
const chunk = buzz(22050).subarray(0, 2205)
const residentMiB = async (encoders) => {
  for (let i = 0; i < encoders; i++) {
    const encoder = await createAudioEncoder({ output: mp3, inputSampleRateHz: 22050 })
    encoder.encode(chunk)
    encoder.finish()
    if (i % 100 === 0) await idleTurn()
  }
  return process.memoryUsage().rss / 2 ** 20
}
const before = await residentMiB(500)
const after = await residentMiB(10_000)
console.log(
  `resident memory after 500 MP3 encoders ${before.toFixed(0)} MiB, after 10,000 more ${after.toFixed(0)} MiB`,
)
