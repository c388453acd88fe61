import { type Client, createClient, createInProcessBus, serve } from '@parlance/bus'
import { ServiceError, type TranscriptionOutput, transcriptionContract } from '@parlance/contracts'
import type { RecognitionOptions, Recognizer } from '../../src/stt/recognizer.js'
import type { ReadAudioFile } from '../../src/transcription/audio-reader.js'
import { createTranscriptions, type Transcriptions } from '../../src/transcription/transcriptions.js'

const workspace_id = '5f0c1d52-2f7a-4f0e-9f4e-3a8f2f8a1b7d'

/** Two utterances of a file, the first sample of each its number. */
const readAudio: ReadAudioFile = async (file) => ({
  durationMs: file.length,
  utterances: [1, 2].map((n) => ({ startMs: n * 1_000, endMs: n * 1_000 + 500, samples: Int16Array.of(n) })),
})

/** Recognizes the number of an utterance, once `beforeText` resolves. */
const createScene = (beforeText: () => Promise<void> = async () => {}) => {
  const opened: RecognitionOptions[] = []
  const scene = { opened, cancelled: 0 }
  const recognizer: Recognizer = {
    name: 'numbers',
    languages: ['en', 'de'],
    open(options) {
      opened.push(options)
      let number = 0
      let cancel = (_reason: unknown) => {}
      const left = new Promise<never>((_resolve, reject) => {
        cancel = reject
      })
      left.catch(() => {})
      return {
        push: ([first = 0]) => {
          number = first
        },
        finish: async () => {
          await Promise.race([beforeText(), left])
          return { text: `number ${number}`, audioMs: 500 }
        },
        cancel() {
          scene.cancelled += 1
          cancel(new Error('cancelled'))
        },
      }
    },
    close: async () => {},
  }
  const findRecognizer = (tag: string) => (/^(en|de)/.test(tag) ? recognizer : undefined)
  const openVoiceDetector = () => ({ detect: () => false, changedAgoMs: () => 0, reset() {} })
  return { scene, findRecognizer, listRecognizers: () => [recognizer], openVoiceDetector }
}

const bus = createInProcessBus()
afterAll(() => bus.close())

const withService = async (
  { handlers }: Transcriptions,
  use: (client: Client<typeof transcriptionContract>) => Promise<void>,
): Promise<void> => {
  const served = await serve(bus, transcriptionContract, handlers, { instanceId: 'one' })
  await use(createClient(bus, transcriptionContract))
  await served.stop()
}

/** Transcribes a file of 3,000 bytes. `onDecoded` decides whether it is recognized. */
const transcribe = (
  client: Client<typeof transcriptionContract>,
  fields: { language?: string; recognizer?: string; workspace?: string } = {},
  onDecoded: () => 'recognize' | 'end' = () => 'recognize',
) => {
  const received: TranscriptionOutput[] = []
  const { workspace = workspace_id, language = null, recognizer = null } = fields
  const request = { workspace_id: workspace, language, recognizer }
  const call = client.transcribe(request, (chunk) => {
    received.push(chunk)
    if (chunk.event !== 'decoded') return
    if (onDecoded() === 'recognize') call.send({ kind: 'recognize' })
    call.end()
  })
  for (let part = 0; part < 3; part++) call.send({ kind: 'part', data: new Uint8Array(1_000) })
  call.send({ kind: 'whole' })
  return { call, received }
}

const refusalOf = (call: { ended: Promise<void> }) =>
  call.ended.then(
    () => undefined,
    (error: unknown) => error,
  )

test('a file is decoded, and recognized only when its caller asks for it, as a recording of one speaker', async () => {
  const { scene, ...recognizers } = createScene()
  await withService(createTranscriptions({ ...recognizers, readAudio, limit: 1, maxSeconds: 60 }), async (client) => {
    const unpaid = transcribe(client, {}, () => 'end')
    await unpaid.call.ended
    expect(unpaid.received).toEqual([{ event: 'decoded', duration_ms: 3_000, language: 'en' }])
    expect(scene.opened).toEqual([])
    const { call, received } = transcribe(client, { language: 'de-AT' })
    await call.ended
    expect(received).toEqual([
      { event: 'decoded', duration_ms: 3_000, language: 'de-AT' },
      { event: 'segment', start_ms: 1_000, end_ms: 1_500, text: 'number 1' },
      { event: 'segment', start_ms: 2_000, end_ms: 2_500, text: 'number 2' },
      { event: 'done' },
    ])
    expect(scene.opened.map(({ isRecording }) => isRecording)).toEqual([true, true])
    expect(scene.opened[0]!.speaker).toBe(scene.opened[1]!.speaker)
  })
})

test('an unknown recognizer and an unknown language are refused', async () => {
  const { scene: _, ...recognizers } = createScene()
  await withService(createTranscriptions({ ...recognizers, readAudio, limit: 1, maxSeconds: 60 }), async (client) => {
    expect(await refusalOf(transcribe(client, { recognizer: 'letters' }).call)).toMatchObject({ code: 'not_found' })
    const refusal = await refusalOf(transcribe(client, { language: 'sw' }).call)
    expect(refusal).toMatchObject({ code: 'invalid_request', detail: expect.stringContaining('there are: de, en') })
  })
})

test('a file beyond the limit waits for its turn, and is refused with the time to wait when that takes too long', async () => {
  let release = () => {}
  const room = new Promise<void>((resolve) => {
    release = resolve
  })
  const { scene, ...recognizers } = createScene(() => room)
  const options = { ...recognizers, readAudio, limit: 1, maxSeconds: 60, maxWaitMs: 50 }
  await withService(createTranscriptions(options), async (client) => {
    const first = transcribe(client)
    const refusal = await refusalOf(transcribe(client).call)
    expect(refusal).toMatchObject({ code: 'capacity_exhausted', retryAfterSeconds: expect.any(Number) })
    release()
    await first.call.ended
    await transcribe(client).call.ended
    expect(scene.opened).toHaveLength(4)
  })
})

test('files of one workspace are transcribed one at a time, and at the same time as those of another', async () => {
  const { scene: _, ...recognizers } = createScene()
  const reading: (() => void)[] = []
  const waiting: ReadAudioFile = async (file, signal) => {
    await new Promise<void>((resolve) => reading.push(resolve))
    return readAudio(file, signal)
  }
  const options = { ...recognizers, readAudio: waiting, limit: 4, maxSeconds: 60 }
  await withService(createTranscriptions(options), async (client) => {
    const own = [transcribe(client), transcribe(client)]
    const other = transcribe(client, { workspace: '7a0c1d52-2f7a-4f0e-9f4e-3a8f2f8a1b7d' })
    while (reading.length < 2) await new Promise(setImmediate)
    for (let n = 0; n < 20; n++) await new Promise(setImmediate)
    expect(reading).toHaveLength(2)
    for (const read of reading) read()
    while (reading.length < 3) await new Promise(setImmediate)
    reading[2]!()
    await Promise.all([...own, other].map(({ call }) => call.ended))
  })
})

test('twenty files at once are all transcribed, and those of another workspace do not wait for all of them', async () => {
  const { scene: _, ...recognizers } = createScene()
  const other = '6b0c1d52-2f7a-4f0e-9f4e-3a8f2f8a1b7d'
  await withService(createTranscriptions({ ...recognizers, readAudio, limit: 1, maxSeconds: 60 }), async (client) => {
    const order: string[] = []
    const run = async (workspace: string) => {
      const { call } = transcribe(client, { workspace })
      await call.ended
      order.push(workspace)
    }
    const many = Array.from({ length: 20 }, () => run(workspace_id))
    await Promise.all([...many, run(other), run(other)])
    expect(order).toHaveLength(22)
    expect(order.lastIndexOf(other)).toBeLessThan(6)
  })
})

test('the recognition ends when its caller leaves or the service stops', async () => {
  const { scene, ...recognizers } = createScene(() => new Promise(() => {}))
  const transcriptions = createTranscriptions({ ...recognizers, readAudio, limit: 2, maxSeconds: 60 })
  await withService(transcriptions, async (client) => {
    const left = transcribe(client)
    const cut = transcribe(client, { workspace: '6b0c1d52-2f7a-4f0e-9f4e-3a8f2f8a1b7d' })
    const begun = () => scene.opened.length === 2
    while (!begun()) await new Promise(setImmediate)
    left.call.cancel(new Error('The caller leaves.'))
    await expect(left.call.ended).rejects.toThrow('The caller leaves.')
    while (scene.cancelled < 1) await new Promise(setImmediate)
    await transcriptions.drain(0)
    expect(await refusalOf(cut.call)).toBeInstanceOf(ServiceError)
    expect(scene.cancelled).toBe(2)
    expect(await refusalOf(transcribe(client).call)).toMatchObject({ code: 'draining' })
  })
})
