import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { parseWav, resolveOutput, wavHeaderBytes } from '@parlance/audio'
import { type AudioOutput, sampleRatesHz } from '@parlance/contracts'
import fc from 'fast-check'
import { createAudioEncoder, warmEncoders } from '../../src/encoding/index.js'
import { describeOutput, encode, everyOutput } from './encode.js'
import { noise, tone } from './signal.js'

const inputSampleRateHz = 22050
const speechLike = Int16Array.from(
  tone({ frequencyHz: 310, sampleRateHz: inputSampleRateHz, durationMs: 700, silenceMs: 100 }),
  (sample, i) => sample + (noise(1 + (i % 7)).at(-1)! >> 3),
)

beforeAll(warmEncoders)

describe.each(everyOutput.map((output) => [describeOutput(output), output] as const))('%s', (_, output) => {
  test('the bytes do not depend on the chunks of the samples', async () => {
    const whole = await encode(output, inputSampleRateHz, speechLike, [speechLike.length])
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 40 }), async (sizes) => {
        expect(Buffer.compare(await encode(output, inputSampleRateHz, speechLike, sizes), whole)).toBe(0)
      }),
      { numRuns: 8 },
    )
  })

  test('encoders that are used at the same time do not affect each other', async () => {
    const inputs = [
      speechLike,
      noise(9000),
      new Int16Array(7000),
      tone({ frequencyHz: 90, sampleRateHz: 22050, durationMs: 500 }),
    ]
    const alone: Uint8Array[] = []
    for (const pcm of inputs) alone.push(await encode(output, inputSampleRateHz, pcm))

    const encoders = await Promise.all(inputs.map(() => createAudioEncoder({ output, inputSampleRateHz })))
    const parts = inputs.map((): Uint8Array[] => [])
    for (let at = 0; at < speechLike.length; at += 441) {
      encoders.forEach((encoder, i) => void parts[i]!.push(encoder.encode(inputs[i]!.subarray(at, at + 441))))
    }
    encoders.forEach((encoder, i) => void parts[i]!.push(encoder.finish()))
    expect(parts.map((of) => Buffer.compare(Buffer.concat(of), alone[parts.indexOf(of)]!))).toEqual([0, 0, 0, 0])
  })

  test('returned bytes do not change', async () => {
    const encoder = await createAudioEncoder({ output, inputSampleRateHz })
    const given: Uint8Array[] = []
    const copies: Uint8Array[] = []
    for (let at = 0; at < speechLike.length; at += 2205) {
      given.push(encoder.encode(speechLike.subarray(at, at + 2205)))
      copies.push(given.at(-1)!.slice())
    }
    encoder.finish()
    expect(given).toEqual(copies)
  })

  test('a second finish returns no bytes, and encoding afterwards is an error', async () => {
    const encoder = await createAudioEncoder({ output, inputSampleRateHz })
    encoder.encode(speechLike)
    encoder.finish()
    expect(encoder.finish()).toHaveLength(0)
    expect(() => encoder.encode(speechLike)).toThrow('finished')
  })
})

/** How many ms of audio went in, in steps of 5 ms, before the first bytes came out. */
const msBeforeFirstBytes = async (output: AudioOutput, pcm: Int16Array): Promise<number> => {
  const encoder = await createAudioEncoder({ output, inputSampleRateHz })
  try {
    for (let samples = 110; samples <= pcm.length; samples += 110) {
      if (encoder.encode(pcm.subarray(samples - 110, samples)).length > 0) return (samples / inputSampleRateHz) * 1000
    }
    return Number.POSITIVE_INFINITY
  } finally {
    encoder.finish()
  }
}

const compressed: AudioOutput[] = [
  ...[24000, 22050, 44100].flatMap((sample_rate) =>
    [32000, 64000, 160000].map((bit_rate) => resolveOutput({ format: 'mp3', sample_rate, bit_rate })),
  ),
  ...sampleRatesHz.flac.map((sample_rate) => resolveOutput({ format: 'flac', sample_rate })),
  ...[6000, 32000, 128000].map((bit_rate) => resolveOutput({ format: 'opus', bit_rate })),
]

test.each(compressed.map((output) => [describeOutput(output), output.bit_rate, output] as const))(
  '%s and %s bit/s: bytes leave within 50 ms of sound, and within 100 ms of silence',
  async (_, bitRate, output) => {
    expect(await msBeforeFirstBytes(output, noise(4410))).toBeLessThanOrEqual(50)
    // LAME keeps the bits that silence does not use, for about seven frames where frames are small.
    const silenceMs = output.format === 'mp3' && bitRate! < 64000 ? 200 : 100
    expect(await msBeforeFirstBytes(output, new Int16Array(5512))).toBeLessThanOrEqual(silenceMs)
  },
)

test('a streamed WAV has unknown sizes and every sample', async () => {
  const file = await encode(resolveOutput({ format: 'wav', sample_rate: 22050 }), 22050, speechLike)
  const view = new DataView(file.buffer)
  expect([view.getUint32(4, true), view.getUint32(40, true)]).toEqual([0xffffffff, 0xffffffff])
  expect(parseWav(file).sampleRateHz).toBe(22050)
  expect(file.length).toBe(wavHeaderBytes + speechLike.length * 2)
})

test('no audio produces only the header of a WAV, and no bytes in formats without a header', async () => {
  const nothing = new Int16Array(0)
  expect(await encode(resolveOutput({ format: 'wav' }), 22050, nothing)).toHaveLength(wavHeaderBytes)
  for (const format of ['pcm_s16le', 'ulaw', 'alaw'] as const) {
    expect(await encode(resolveOutput({ format }), 22050, nothing)).toHaveLength(0)
  }
})

test('an MP3 starts with an audio frame, without a Xing or Info tag', async () => {
  const file = await encode(resolveOutput({ format: 'mp3' }), 24000, speechLike)
  expect([file[0], file[1]! & 0xe0]).toEqual([0xff, 0xe0])
  expect(Buffer.from(file).includes('Xing') || Buffer.from(file).includes('Info')).toBe(false)
})

test('memory stays flat over 2,000 encoders, finished or dropped', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const outputs = (['mp3', 'opus', 'wav', 'ulaw'] as const).map((format) => resolveOutput({ format }))
  const chunk = speechLike.subarray(0, 2205)

  const run = async (encoders: number): Promise<number> => {
    for (let i = 0; i < encoders; i++) {
      const encoder = await createAudioEncoder({ output: outputs[i % outputs.length]!, inputSampleRateHz })
      encoder.encode(chunk)
      if (i % 40 >= 4) encoder.finish()
    }
    await nextTurn()
    collectGarbage()
    await nextTurn()
    collectGarbage()
    return process.memoryUsage().rss
  }

  const before = await run(500)
  const after = await run(2000)
  expect((after - before) / 2 ** 20).toBeLessThan(32)
})
