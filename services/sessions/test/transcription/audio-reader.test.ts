import { concatPcm, pcmToBytes, resolveOutput, wavHeader } from '@parlance/audio'
import { createAudioEncoder } from '@parlance/audio/encoding'
import type { AudioFormat } from '@parlance/contracts'
import { describeWithPrograms } from '@parlance/testing'
import { createAudioReader } from '../../src/transcription/audio-reader.js'
import { spoken } from '../spoken.js'

const sampleRateHz = 16_000
const never = new AbortController().signal
const read = createAudioReader({ maxDurationMs: 60_000 })

/** A WAV file whose header has another size where one is given. */
const wavOf = (samples: Int16Array, dataBytes = samples.byteLength): Uint8Array =>
  Buffer.concat([wavHeader({ sampleRateHz, dataBytes }), pcmToBytes(samples)])

const silence = (seconds: number) => new Int16Array(seconds * sampleRateHz)

const encode = async (format: AudioFormat, samples: Int16Array): Promise<Uint8Array> => {
  const encoder = await createAudioEncoder({ output: resolveOutput({ format }), inputSampleRateHz: sampleRateHz })
  return Buffer.concat([encoder.encode(samples), encoder.finish()])
}

describeWithPrograms(['flite'], 'a recording of two sentences', () => {
  let samples: Int16Array
  beforeAll(async () => {
    const [first, second] = [await spoken('Please tell me a very long story.'), await spoken('What is the weather?')]
    samples = concatPcm([first, silence(2), second])
  })

  test.each(['wav', 'mp3', 'opus'] as const)('is cut at the pause between them, from a file of %s', async (format) => {
    const { durationMs, utterances } = await read(await encode(format, samples), never)
    const lengthMs = (samples.length * 1000) / sampleRateHz
    expect(Math.abs(durationMs - lengthMs)).toBeLessThan(150)
    expect(utterances).toHaveLength(2)
    const [first, second] = utterances
    expect(second!.startMs - first!.endMs).toBeGreaterThan(1_000)
    for (const { startMs, endMs, samples: cut } of utterances) {
      expect(cut.length).toBe((endMs - startMs) * (sampleRateHz / 1000))
    }
  })

  test('has the length of the remaining audio when an MP3 is cut off', async () => {
    const mp3 = await encode('mp3', samples)
    const { durationMs, utterances } = await read(mp3.subarray(0, Math.floor(mp3.length * 0.4)), never)
    expect(durationMs / ((samples.length * 1000) / sampleRateHz)).toBeCloseTo(0.4, 1)
    expect(utterances).toHaveLength(1)
  })
})

describe('the length of a file', () => {
  test('is that of its audio, whatever its header claims', async () => {
    const tenHours = 10 * 3600 * sampleRateHz * 2
    expect(await read(wavOf(silence(2), tenHours), never)).toEqual({ durationMs: 2_000, utterances: [] })
  })

  test('is limited, however small the file is', async () => {
    const mp3 = await encode('mp3', silence(70))
    await expect(read(mp3, never)).rejects.toMatchObject({
      code: 'payload_too_large',
      detail: 'file: The audio is longer than 60 seconds.',
    })
  })
})

test.each(['opus', 'wav'] as const)(
  'a file of %s that says that it is too long is refused before it is decoded',
  async (format) => {
    const progress: number[] = []
    const limited = createAudioReader({ maxDurationMs: 150_000 })
    const file = await encode(format, silence(200))
    await expect(limited(file, never, (durationMs) => progress.push(durationMs))).rejects.toMatchObject({
      code: 'payload_too_large',
    })
    expect(progress).toEqual([])
  },
)

test('reports how much was decoded, also of a file that does not say how long it is', async () => {
  const progress: number[] = []
  const limited = createAudioReader({ maxDurationMs: 150_000 })
  const file = await encode('mp3', silence(200))
  await expect(limited(file, never, (durationMs) => progress.push(durationMs))).rejects.toMatchObject({
    code: 'payload_too_large',
  })
  expect(progress.map((durationMs) => Math.floor(durationMs / 60_000))).toEqual([1, 2])
})

test.each([
  ['text', Buffer.from('This is no audio. '.repeat(50)), 'This audio format is not supported'],
  ['an M4A', Buffer.from('\0\0\0\u001cftypM4A and so on'), 'M4A and MP4 files cannot be decoded'],
  ['a WAV without samples', wavOf(new Int16Array(0)), 'There is no audio in the file.'],
  ['a WAV that ends in its header', wavOf(new Int16Array(0)).subarray(0, 30), 'cut short'],
  ['a single byte', Buffer.from('R'), 'This audio format is not supported'],
])('%s is refused with the reason', async (_what, file, detail) => {
  await expect(read(file, never)).rejects.toMatchObject({ code: 'invalid_request' })
  await expect(read(file, never)).rejects.toThrow(detail)
})

test('work that takes too long is stopped, and so is work that was aborted', async () => {
  const hasty = createAudioReader({ maxDurationMs: 60_000, timeoutMs: 1 })
  await expect(hasty(wavOf(silence(1)), never)).rejects.toMatchObject({ code: 'upstream_timeout' })
  const caller = new AbortController()
  const reading = read(wavOf(silence(1)), caller.signal)
  caller.abort(new Error('The caller has gone.'))
  await expect(reading).rejects.toThrow('The caller has gone.')
})
