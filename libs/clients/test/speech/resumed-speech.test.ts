import { createClient, createInProcessBus, type Handlers, type ServedContract, serve } from '@parlance/bus'
import {
  type AudioOutput,
  ServiceError,
  type SynthesisChunk,
  type SynthesisRequest,
  ttsContract,
} from '@parlance/contracts'
import { createSpeechTimeline, cutText } from '@parlance/speech'
import { createSynthesize } from '../../src/speech/index.js'
import { lane, voiceId, withoutMeasuredTimes, workspaceId } from './scripted-speech.js'

const text = 'One. Two. Three. Four.'
const request: SynthesisRequest = {
  workspace_id: workspaceId,
  text,
  cuts: [4, 9, 16],
  voice: voiceId,
  variant: null,
  language: null,
  output: { format: 'pcm_s16le', sample_rate: 24_000, bit_rate: null },
  speed: 1,
  volume: 1,
  alignment: [],
  private: false,
}
/** The audio of each segment, in two chunks: more than a listener has played when the next is produced. */
const segmentMs = 4_000
const chunksPerSegment = 3

const speechOf = function* ({ output, text, cuts }: SynthesisRequest): Generator<SynthesisChunk> {
  yield { event: 'started', output, queue_ms: 0, ttfa_ms: 1 }
  const segments = cutText(text, cuts)
  for (const [segment, part] of segments.entries()) {
    for (const half of [0, 1]) {
      yield {
        event: 'audio',
        seq: 2 * segment + half,
        segment,
        start_ms: segment * segmentMs + (half * segmentMs) / 2,
        duration_ms: segmentMs / 2,
        data: Buffer.from(half === 0 ? part.slice(0, 2) : part.slice(2)),
      }
    }
    yield { event: 'segment', segment, characters: part.length, pause_ms: 200 }
  }
  const audio_duration_ms = segments.length * segmentMs
  yield { event: 'done', audio_duration_ms, characters_billed: text.length, ttfa_ms: 1 }
}

describe('a speech whose worker is lost in the middle', () => {
  const bus = createInProcessBus()
  const synthesize = createSynthesize(createClient(bus, ttsContract))
  const open: ServedContract[] = []
  afterEach(() => Promise.all(open.splice(0).map((served) => served.stop())))

  /** Workers that are lost after the given numbers of chunks, and the requests that they received. */
  const startWorkers = async (...counts: number[]) => {
    const asked: string[] = []
    const handlers: Handlers<typeof ttsContract> = {
      async *synthesize(one) {
        asked.push(cutText(one.text, one.cuts).join('|'))
        const lostAfter = counts.shift() ?? Number.POSITIVE_INFINITY
        let count = 0
        for (const chunk of speechOf(one)) {
          if (count++ === lostAfter) throw new ServiceError('unavailable', 'Lost.')
          yield chunk
        }
      },
    }
    open.push(await serve(bus, ttsContract, handlers, { instanceId: 'worker', lane }))
    return asked
  }
  const speak = async (output: Partial<AudioOutput> = {}) => {
    const chunks: SynthesisChunk[] = []
    const { place } = createSpeechTimeline()
    const speech = synthesize({ ...request, output: { ...request.output, ...output } }, { lane, deadlineMs: 10_000 })
    await speech((chunk) => void chunks.push(...[place(chunk) ?? []].flat()), new AbortController().signal)
    return chunks
  }
  const audioOf = (chunks: readonly SynthesisChunk[]) =>
    chunks.map((chunk) => (chunk.event === 'audio' ? Buffer.from(chunk.data).toString() : '')).join('')

  test.each([
    ['between two segments', 1 + 2 * chunksPerSegment],
    ['within a segment', 1 + 2 * chunksPerSegment + 1],
    ['at the end of a segment', 1 + 2 * chunksPerSegment + 2],
  ])('%s, is continued from the first incomplete segment, as if nothing had been lost', async (_, lostAfter) => {
    const asked = await startWorkers(Number.POSITIVE_INFINITY, lostAfter)
    const whole = await speak()
    expect(withoutMeasuredTimes(await speak())).toEqual(withoutMeasuredTimes(whole))
    expect(asked.slice(1)).toEqual(['One.| Two.| Three.| Four.', ' Three.| Four.'])
  })

  test('after the last segment, is not requested again', async () => {
    const asked = await startWorkers(1 + 4 * chunksPerSegment)
    expect((await speak()).at(-1)).toMatchObject({ event: 'done', characters_billed: text.length })
    expect(asked).toHaveLength(1)
  })

  test('before any audio, is requested again as a whole', async () => {
    const asked = await startWorkers(1)
    expect(audioOf(await speak())).toBe(text)
    expect(asked).toEqual(['One.| Two.| Three.| Four.', 'One.| Two.| Three.| Four.'])
  })

  test('after part of a segment was delivered, has the rest of that segment from another worker', async () => {
    const asked = await startWorkers(2)
    expect(withoutMeasuredTimes(await speak())).toEqual(withoutMeasuredTimes(await speak()))
    expect(asked).toEqual(Array(3).fill('One.| Two.| Three.| Four.'))
  })

  test('fails in a compressed format when part of a segment was delivered: nothing is delivered twice or left out', async () => {
    const asked = await startWorkers(2)
    const chunks: SynthesisChunk[] = []
    const output = { format: 'mp3', sample_rate: 24_000, bit_rate: 64_000 } as const
    const speaking = synthesize({ ...request, output }, { lane, deadlineMs: 10_000 })(
      (chunk) => void chunks.push(chunk),
      new AbortController().signal,
    )
    await expect(speaking).rejects.toMatchObject({ code: 'unavailable', detail: 'Lost.' })
    expect(audioOf(chunks)).toBe('On')
    expect(asked).toHaveLength(1)
  })

  test('delivers the complete segments to a slow sink before it fails or continues', async () => {
    await startWorkers(1 + chunksPerSegment + 1)
    const chunks: SynthesisChunk[] = []
    await synthesize(request, { lane, deadlineMs: 10_000 })(async (chunk) => {
      await new Promise(setImmediate)
      chunks.push(chunk)
    }, new AbortController().signal)
    expect(audioOf(chunks)).toBe(text)
  })

  test('is not continued forever', async () => {
    const asked = await startWorkers(4, 4)
    await expect(speak()).rejects.toMatchObject({ code: 'unavailable' })
    expect(asked).toHaveLength(2)
  })

  test('is not continued in Ogg, whose pages are numbered by one encoder', async () => {
    const asked = await startWorkers(1 + chunksPerSegment)
    await expect(speak({ format: 'opus', sample_rate: 48_000, bit_rate: 32_000 })).rejects.toMatchObject({
      code: 'unavailable',
    })
    expect(asked).toHaveLength(1)
  })

  test('rejects with the loss when no other worker comes in time', async () => {
    await startWorkers(1 + chunksPerSegment)
    const speaking = synthesize(request, { lane, deadlineMs: 300 })((chunk) => {
      if (chunk.event === 'segment') open[0]!.setAvailable(false)
    }, new AbortController().signal)
    await expect(speaking).rejects.toMatchObject({ code: 'unavailable', detail: 'Lost.' })
  })
})
