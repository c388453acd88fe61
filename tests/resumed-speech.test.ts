import { setTimeout as delay } from 'node:timers/promises'
import { parseWav } from '@parlance/audio'
import type { ttsJsonResponseSchema, Voice } from '@parlance/contracts'
import { describeWithPrograms } from '@parlance/testing'
import type { z } from 'zod'
import { type Api, createApi } from './api.js'
import { eventually } from './eventually.js'
import { readMetric } from './metrics.js'
import { measure, msOf, pcmOf } from './pauses-of-audio.js'
import { newKey, type SpeechWorkerProcess, startApart } from './platforms.js'
import { publishAgent } from './publish-agent.js'
import { connectSession } from './session-peer.js'

const sentences = Array.from({ length: 90 }, (_, index) => `This is sentence ${index + 1} of a long speech.`)
const text = sentences.join(' ')
const words = text.match(/[\p{L}\p{N}]+/gu)!

/** More audio than the connection's buffers take: the speech is in the middle for as long as the client does not read. */
const outputs = {
  wav: { format: 'wav', sample_rate: 48_000 },
  pcm: { format: 'pcm_s16le', sample_rate: 48_000 },
  mp3: { format: 'mp3', sample_rate: 44_100, bit_rate: 160_000 },
} as const

/** One segment, which is still spoken when its first audio is played. */
const greeting =
  'Welcome to the front desk of the house by the sea where you may ask me for a table or for a room with a view or for ' +
  'the time of the next boat to the island and for whatever else you need on this fine day.'

/** How much two syntheses of one text by the same engine may differ in length. */
const tolerance = 0.01

describeWithPrograms(['nats', 'redis', 'postgres'], 'a speech whose worker is killed in the middle', () => {
  let platform: Awaited<ReturnType<typeof startApart>>
  let api: Api
  let authorization: string
  let voice: Voice
  let workers: SpeechWorkerProcess[]
  /** Of the whole text, spoken without any loss. */
  let wholeMs: number

  const post = (path: string, body: object) =>
    fetch(`${platform.urls[0]}${path}`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const ask = (mode: string, output: object, more: object = {}) =>
    post('/v1/tts', { text, voice_id: voice.id, speed: 0.5, response_mode: mode, output, ...more })

  const begunSpeeches = ({ metricsUrl }: SpeechWorkerProcess) =>
    readMetric(metricsUrl, 'parlance_tts_queue_seconds_count')

  beforeAll(async () => {
    platform = await startApart()
    const key = await newKey(platform, { credit: '1000' })
    authorization = key.authorization
    api = createApi(platform.urls[0], authorization)
    voice = await api.voice()
    process.kill(platform.speakingPid, 'SIGKILL')
    workers = await Promise.all([platform.processes.startSpeechWorker(), platform.processes.startSpeechWorker()])
    wholeMs = ((await (await ask('json', outputs.mp3)).json()) as { audio_duration_ms: number }).audio_duration_ms
  })
  afterAll(() => platform?.stop())

  /**
   * Kills the worker that speaks, once `begun` has resolved. The function it resolves with is called after the speech: it resolves
   * with whether the worker that was left went on, and starts another for the next test.
   */
  const killSpeakingWorker = async (
    before: readonly number[],
    begun?: Promise<void>,
  ): Promise<() => Promise<boolean>> => {
    for (;;) {
      const now = await Promise.all(workers.map(begunSpeeches))
      const index = now.findIndex((count, at) => count > before[at]!)
      if (index !== -1) {
        await begun
        workers[index]!.child.kill('SIGKILL')
        const other = workers[1 - index]!
        return async () => {
          const wasContinued = (await begunSpeeches(other)) > now[1 - index]!
          workers[index] = await platform.processes.startSpeechWorker()
          return wasContinued
        }
      }
      await delay(5)
    }
  }

  /** Reads somewhat more than the first segment, and no more until `rest` is called. */
  const halted = (bytesToRead: number) => {
    const parts: Uint8Array[] = []
    let reader: ReadableStreamDefaultReader<Uint8Array>
    return {
      async begun(response: Response) {
        expect(response.status).toBe(200)
        reader = response.body!.getReader() as ReadableStreamDefaultReader<Uint8Array>
        for (let bytes = 0; bytes < bytesToRead; ) {
          const { value } = await reader.read()
          parts.push(value!)
          bytes += value!.length
        }
      },
      async rest(): Promise<Buffer> {
        for (let next = await reader.read(); !next.done; next = await reader.read()) parts.push(next.value!)
        return Buffer.concat(parts)
      },
    }
  }

  /** Kills the worker once the client has read the beginning of the speech, and lets the client read the rest then. */
  const readWithLoss = async (speaking: () => Promise<Response>, body: ReturnType<typeof halted>): Promise<Buffer> => {
    const before = await Promise.all(workers.map(begunSpeeches))
    await body.begun(await speaking())
    const wasContinued = await killSpeakingWorker(before)
    const rest = await body.rest()
    expect(await wasContinued()).toBe(true)
    return rest
  }

  /**
   * What `speak` resolves to when a worker was killed while it spoke: it calls `kill` in the meantime. A short speech may be complete
   * before the kill on a busy machine: then it is spoken again.
   */
  const withLoss = async <Spoken>(
    speak: (kill: (begun?: Promise<void>) => Promise<void>) => Promise<Spoken>,
  ): Promise<Spoken> => {
    for (let attempt = 1; attempt <= 10; attempt++) {
      const before = await Promise.all(workers.map(begunSpeeches))
      let wasContinued = async () => false
      const spoken = await speak(async (begun) => {
        wasContinued = await killSpeakingWorker(before, begun)
      })
      if (await wasContinued()) return spoken
    }
    throw new Error('No kill came while a worker spoke.')
  }

  const expectWhole = (durationMs: number) => {
    expect(durationMs / wholeMs).toBeGreaterThan(1 - tolerance)
    expect(durationMs / wholeMs).toBeLessThan(1 + tolerance)
  }

  test('is complete as WAV audio with one header', async () => {
    const file = await readWithLoss(() => ask('audio', outputs.wav), halted(6_000_000))
    const { sampleRateHz, data } = parseWav(file)
    expect(file.indexOf('RIFF', 4)).toBe(-1)
    expectWhole((data.length / 2 / sampleRateHz) * 1000)
  })

  test('is complete as MP3 audio whose frames follow each other without a gap', async () => {
    const file = await readWithLoss(() => ask('audio', outputs.mp3), halted(1_200_000))
    let frames = 0
    let at = 0
    // MPEG 1, layer III, without a checksum; 160 kbit/s at 44.1 kHz.
    while (at < file.length && file.readUInt16BE(at) === 0xfffb && (file[at + 2]! & 0xfc) === 0xa0) {
      at += 522 + ((file[at + 2]! >> 1) & 1)
      frames++
    }
    expect(at).toBe(file.length)
    expectWhole((frames * 1152 * 1000) / 44_100)
  })

  test('is complete as server-sent events: no word twice, none left out, on one clock', async () => {
    const sent = await readWithLoss(() => ask('sse', outputs.pcm, { alignment: ['word'] }), halted(8_000_000))
    const events = sent
      .toString()
      .split('\n')
      .filter((line) => line.startsWith('data: '))
      .map((line) => JSON.parse(line.slice('data: '.length)))
    const audio = events.filter(({ event }) => event === 'audio')
    let clockMs = 0
    let bytes = 0
    const gapsMs: number[] = []
    for (const { start_ms, duration_ms, data } of audio) {
      gapsMs.push(Math.abs(start_ms - clockMs))
      bytes += Buffer.byteLength(data, 'base64')
      clockMs = start_ms + duration_ms
    }
    expect(audio.map(({ seq }) => seq)).toEqual([...audio.keys()])
    expect(Math.max(...gapsMs)).toBeLessThan(0.05)
    const spoken = events.flatMap(({ event, words }) => (event === 'alignment' ? words : []))
    expect(spoken.map((word) => word.text)).toEqual(words)
    const starts = spoken.map(({ start_ms }) => start_ms)
    expect(starts).toEqual(starts.toSorted((one, other) => one - other))
    expect(events.at(-1)).toMatchObject({ event: 'done', characters_billed: text.length })
    expect(bytes / 96 / clockMs).toBeCloseTo(1, 3)
    expectWhole(clockMs)
    expectWhole(events.at(-1).audio_duration_ms)
  })

  test('as JSON is whole', async () => {
    const { audio_duration_ms, alignment, characters_billed } = await withLoss(async (kill) => {
      const answering = ask('json', { format: 'opus' }, { alignment: ['word'] })
      await kill()
      return (await answering).json() as Promise<z.infer<typeof ttsJsonResponseSchema>>
    })
    expect(alignment.words.map((word) => word.text)).toEqual(words)
    expect(characters_billed).toBe(text.length)
    expectWhole(audio_duration_ms)
  })

  test.each(['audio', 'sse'])("through OpenAI's API is whole, as %s", async (streamFormat) => {
    const request = { model: 'tts-1', voice: voice.id, input: text, response_format: 'pcm', speed: 0.5 }
    const speaking = () => post('/v1/audio/speech', { ...request, stream_format: streamFormat })
    const received = await readWithLoss(speaking, halted(4_000_000))
    const pieces = [...received.toString().matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data!).audio ?? '')
    const audio =
      streamFormat === 'audio' ? received : Buffer.concat(pieces.map((piece) => Buffer.from(piece, 'base64')))
    expectWhole(audio.length / 48)
  })

  /**
   * A conversation in which the Agent says its greeting while `meanwhile` runs: its audio, its words and its record. `begun` resolves
   * with the first audio.
   */
  const greet = async (meanwhile: (begun: Promise<void>) => Promise<void>) => {
    const agentId = await publishAgent(api, { voice, llm_model: 'rules', first_message: greeting })
    const { token } = (await api.post(`/v1/agents/${agentId}/session-tokens`)).body
    const { body } = await api.post(
      `/v1/agents/${agentId}/sessions`,
      { transport: 'websocket' },
      { authorization: `Bearer ${token}` },
    )
    const peer = await connectSession(body.websocket_url, token)
    const frames: Buffer[] = []
    /** When a client that plays each frame at once has played all. */
    let playedAtMs: number | undefined
    /** For how long it had nothing to play, in all. */
    let gapMs = 0
    let onBegun = () => {}
    const begun = new Promise<void>((resolve) => {
      onBegun = resolve
    })
    peer.socket.on('message', (data: Buffer, isBinary) => {
      if (!isBinary) return
      onBegun()
      const atMs = performance.now()
      if (playedAtMs !== undefined) gapMs += Math.max(0, atMs - playedAtMs)
      playedAtMs = Math.max(atMs, playedAtMs ?? 0) + msOf(data.length / 2)
      frames.push(data)
    })
    const done = meanwhile(begun)
    peer.send({ event: 'client.ready' })
    await done
    await peer.event('transcript', ({ final }) => final)
    peer.socket.close()
    const { transcript, usage } = await eventually(async () => {
      const { body: record } = await api.get(`/v1/agent-sessions/${body.session_id}`)
      return record.status === 'ended' ? record : undefined
    })
    const spoken = peer.events.flatMap((event) => (event.event === 'alignment' ? event.words : []))
    return { sound: measure(pcmOf(Buffer.concat(frames))), gapMs, spoken, transcript, usage }
  }

  test('is complete as the reply of an Agent: each word once, with its pauses, and charged once', async () => {
    const whole = await greet(async () => {})
    const resumed = await withLoss(greet)
    expect(resumed.transcript).toEqual([expect.objectContaining({ role: 'agent', text: greeting })])
    expect(resumed.transcript[0]).not.toMatchObject({ interrupted: true })
    expect(resumed.spoken.map((word) => word.text)).toEqual(greeting.match(/\p{L}+/gu))
    const starts = resumed.spoken.map(({ start_ms }) => start_ms)
    expect(starts).toEqual(starts.toSorted((one, other) => one - other))
    expect(resumed.usage.tts_characters).toBe(greeting.length)
    expect(resumed.usage.tts_characters).toBe(whole.usage.tts_characters)
    expect(resumed.sound.soundMs / whole.sound.soundMs).toBeCloseTo(1, 1)
    expect(Math.max(...resumed.sound.pausesMs)).toBeLessThan(Math.max(...whole.sound.pausesMs) + 200)
    // The samples last as long as the words by their times: a word that is missing or said twice is longer than the difference.
    const wordsMs = resumed.spoken.at(-1)!.end_ms - resumed.spoken[0]!.start_ms
    const differenceMs = resumed.sound.soundMs - wordsMs
    process.stderr.write(
      `resumed by another worker: ${Math.round(differenceMs)} ms more sound than words, a gap of ${Math.round(resumed.gapMs)} ms\n`,
    )
    expect(Math.abs(differenceMs)).toBeLessThan(150)
  })
})
