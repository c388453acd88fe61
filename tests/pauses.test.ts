/** The same text lasts the same, and is segmented alike, however it comes: measured on the audio of the built-in voices. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createSemaphore } from '@parlance/async'
import type { Voice } from '@parlance/contracts'
import { describeWithPrograms } from '@parlance/testing'
import { connectStream } from '../services/gateway/test/stream-client.js'
import { type Api, createApi } from './api.js'
import { measure, msOf, pcmOf, sampleRateHz } from './pauses-of-audio.js'
import { padding, texts } from './pauses-texts.js'
import { newKey, startTogether, type TestPlatform } from './platforms.js'
import { connectSession, type SessionPeer } from './session-peer.js'

const output = { format: 'pcm_s16le', sample_rate: sampleRateHz }

/** More would wait for engines longer than a stream may on a busy machine. */
const casesAtOnce = 2

describe('the same text, spoken by the built-in voices', () => {
  let platform: TestPlatform
  let api: Api
  let voices: Voice[]

  beforeAll(async () => {
    platform = await startTogether({ TTS_INSTALLED_ENGINES: 'true' })
    api = createApi(platform.urls[0], (await newKey(platform)).authorization)
    await api.voice()
    voices = (await api.get('/v1/voices')).body.voices
  })
  afterAll(async () => {
    await platform?.stop()
  })

  const voiceOf = (language: string, dry = false): Voice => {
    const found = voices.filter(({ languages, variants }) => {
      return languages[0]!.startsWith(language) && variants[0]!.id === 'standard'
    })
    // Silence is measured better in a voice without reverberation.
    return found.find(({ display_name }) => dry && ['Walter', 'Emil'].includes(display_name)) ?? found[0]!
  }

  const overHttp = async (voice: Voice, text: string, speed = 1) => {
    const { status, body } = await api.post('/v1/tts', { text, voice_id: voice.id, output, speed })
    expect(status).toBe(200)
    return pcmOf(body)
  }

  const overWebSocket = async (voice: Voice, parts: readonly string[], start: object = {}) => {
    const { body } = await api.post('/v1/tts/stream-tokens', {})
    const client = connectStream(platform.urls[0], body.token)
    try {
      await client.next('ready')
      // All at once, and with a long delay, so that no time limit divides a sentence, whatever the load of the machine.
      const buffering = { mode: 'auto', max_delay_ms: 5_000 }
      client.send({ event: 'start', voice_id: voice.id, output, alignment: ['word'], buffering, ...start })
      await client.next('started')
      for (const text of parts) client.send({ event: 'text', text })
      client.send({ event: 'end' })
      const done = await client.next('done')
      const pcm = pcmOf(client.audioOf())
      expect(msOf(pcm.length)).toBeCloseTo(done.audio_duration_ms, -1)
      return { pcm, alignments: client.of('alignment') }
    } finally {
      client.socket.terminate()
    }
  }

  /** Opens a conversation whose Agent speaks this text first. The caller closes the socket. */
  const converse = async (voice: Voice, text: string, speed: number) => {
    const { body: agent } = await api.post('/v1/agents', {
      slug: `agent-${randomUUID().slice(0, 8)}`,
      display_name: 'Front desk',
      voice_id: voice.id,
      voice_config: { tts_variant: voice.variants[0]!.id, speed },
      llm_provider: 'builtin',
      llm_model: 'rules',
      first_message: text,
    })
    expect((await api.post(`/v1/agents/${agent.id}/publish`)).status).toBe(201)
    const { body: minted } = await api.post(`/v1/agents/${agent.id}/session-tokens`)
    const { body: session } = await api.post(
      `/v1/agents/${agent.id}/sessions`,
      { transport: 'websocket' },
      { authorization: `Bearer ${minted.token}` },
    )
    return connectSession(session.websocket_url, minted.token)
  }

  const close = async ({ socket }: SessionPeer) => {
    socket.close(1000)
    await once(socket, 'close')
  }

  const inConversation = async (voice: Voice, text: string, speed = 1) => {
    const peer = await converse(voice, text, speed)
    const frames: Buffer[] = []
    peer.socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) frames.push(data)
    })
    peer.send({ event: 'client.ready' })
    await peer.event('transcript', ({ role, final }) => role === 'agent' && final)
    const alignments = peer.events.filter((event) => event.event === 'alignment')
    await close(peer)
    return { pcm: pcmOf(Buffer.concat(frames)), alignments }
  }

  /** The alignments of a conversation's first segments. They are sent before the segments have been played. */
  const firstAlignments = async (voice: Voice, text: string, speed: number, count: number) => {
    const peer = await converse(voice, text, speed)
    peer.send({ event: 'client.ready' })
    const alignments = () => peer.events.filter((event) => event.event === 'alignment')
    await peer.event('alignment', () => alignments().length === count)
    await close(peer)
    return alignments()
  }

  /**
   * The result of `work` for one case of a table. The first call starts the work of all cases, a few at a time: most of
   * their time is spent on waiting for speech that is sent at the pace of people.
   */
  const sharedWork = <Case, Result>(cases: readonly Case[], work: (of: Case) => Promise<Result>) => {
    const slots = createSemaphore(casesAtOnce)
    const workInSlot = async (of: Case): Promise<Result> => {
      const release = await slots.acquire()
      return work(of).finally(release)
    }
    let started: Map<Case, Promise<Result>> | undefined
    return (of: Case): Promise<Result> => {
      started ??= new Map(cases.map((one) => [one, workInSlot(one)]))
      // Each case's failure is reported by its own test.
      for (const result of started.values()) result.catch(() => {})
      return started.get(of)!
    }
  }

  const fliteVoices = (): Voice[] => voices.filter(({ variants }) => variants[0]!.id === 'flite')

  const words = (text: string): string[] => text.split(/(?<=\s)(?=\S)/)

  const atSpeeds = Object.keys(texts).flatMap((language) => [0.5, 1, 2].map((speed) => ({ language, speed })))
  const durationRatios = sharedWork(atSpeeds, ({ language, speed }) => {
    const text = texts[language]!
    const ratio = async (voice: Voice) => {
      const whole = await overHttp(voice, text, speed)
      const { pcm } = await overWebSocket(voice, words(text), { speed })
      return pcm.length / whole.length
    }
    return Promise.all([...new Set([voiceOf(language), voiceOf(language, true)])].map(ratio))
  })

  test.each(atSpeeds)('in $language lasts as long word by word as at once, at speed $speed', async (speech) => {
    for (const ratio of await durationRatios(speech)) expect(Math.abs(ratio - 1)).toBeLessThan(0.03)
  })

  test.each(['en', 'de'])('in %s pauses as long at each full stop word by word as at once', async (language) => {
    const voice = voiceOf(language, true)
    const text = texts[language]!
    const { pausesMs: wholeMs } = measure(await overHttp(voice, text))
    const { pausesMs } = measure((await overWebSocket(voice, words(text))).pcm)
    expect(pausesMs).toHaveLength(wholeMs.length)
    expect(wholeMs.length).toBeGreaterThanOrEqual(5)
    for (const [index, pauseMs] of pausesMs.entries()) expect(Math.abs(pauseMs - wholeMs[index]!)).toBeLessThan(40)
    expect(Math.max(...pausesMs)).toBeGreaterThan(500)
    expect(pausesMs.filter((ms) => ms > 280).length).toBeGreaterThanOrEqual(3)
  })

  describeWithPrograms(['flite'], 'and by flite', () => {
    const clauseFirst = 'The train leaves at nine o’clock, so let us go. It takes an hour! Do we have that long?'

    test.each([0.5, 1, 2])('lasts as long word by word as at once, at speed %d', async (speed) => {
      expect(fliteVoices().length).toBeGreaterThanOrEqual(4)
      const compare = async (voice: Voice, text: string) => {
        const whole = await overHttp(voice, text, speed)
        const { pcm } = await overWebSocket(voice, words(text), { speed })
        expect(Math.abs(pcm.length / whole.length - 1)).toBeLessThan(0.03)
      }
      for (const voice of fliteVoices()) await compare(voice, clauseFirst)
      if (speed === 1) await compare(fliteVoices()[0]!, texts.en!)
    })

    test('lasts as long in a conversation as at once', async () => {
      const [voice] = fliteVoices()
      const whole = await overHttp(voice!, clauseFirst)
      const { alignments } = await inConversation(voice!, clauseFirst)
      const alignedMs = alignments.flatMap((alignment) => alignment.words).at(-1)!.end_ms
      expect(Math.abs(alignedMs / measure(whole).soundMs - 1)).toBeLessThan(0.03)
    })
  })

  test('a long text lasts as long over HTTP, which segments it, as its sentences one by one', async () => {
    const voice = voiceOf('en')
    const text = Array.from({ length: 3 }, () => texts.en!).join(' ')
    const answer = await api.post('/v1/tts', {
      text,
      voice_id: voice.id,
      output,
      response_mode: 'json',
      alignment: ['word'],
    })
    const { pcm, alignments } = await overWebSocket(voice, words(text))
    const wholeMs = answer.body.audio_duration_ms
    expect(Math.abs(msOf(pcm.length) / wholeMs - 1)).toBeLessThan(0.03)
    const last = alignments.flatMap((alignment) => alignment.words).at(-1)!
    expect(last.end_ms / answer.body.alignment.words.at(-1).end_ms).toBeCloseTo(1, 1)
    expect(last.end_ms).toBeLessThanOrEqual(msOf(pcm.length) + 1)
    const shortMs = msOf((await overHttp(voice, texts.en!)).length)
    expect(wholeMs).toBeGreaterThan(2.97 * shortMs)
  })

  test('`none` speaks each text as given, with the pause that its own punctuation asks for', async () => {
    const voice = voiceOf('en', true)
    const parts = ['We go by train.', ' It leaves at nine,', ' and we are late.']
    const { pcm } = await overWebSocket(voice, parts, { buffering: { mode: 'none' } })
    const whole = await overHttp(voice, parts.join(''))
    expect(Math.abs(pcm.length / whole.length - 1)).toBeLessThan(0.03)
  })

  test.each([
    ['en', 1],
    ['de', 2],
  ])('in %s lasts as long in a conversation as at once, at speed %d', async (language, speed) => {
    const text = texts[language]!
    const voice = voiceOf(language)
    const whole = await overHttp(voice, text, speed)
    const { pcm, alignments } = await inConversation(voice, text, speed)
    const { soundMs: wholeMs } = measure(whole)
    const alignedMs = alignments.flatMap((alignment) => alignment.words).at(-1)!.end_ms
    // By the clock of the speech, and by what the peer received: silence that a busy machine adds is in the second alone.
    expect(Math.abs(alignedMs / wholeMs - 1)).toBeLessThan(0.03)
    expect(measure(pcm).soundMs / wholeMs).toBeGreaterThan(0.97)
    expect(measure(pcm).soundMs / wholeMs).toBeLessThan(1.1)
  })

  const languages = Object.keys(padding)
  /** How many words each segment has: over HTTP, over WebSocket and in a conversation. */
  const wordsOfSegments = sharedWork(languages, async (language) => {
    const [abbreviation, word] = padding[language]!
    const sentence = (start: string) =>
      `${start} ${word!.repeat(Math.ceil(90 / word!.length))}${abbreviation}${word!.repeat(Math.ceil(100 / word!.length)).trim()}.`
    const text = ['Alpha', 'Beta'].map(sentence).join(' ')
    const voice = voiceOf(language)
    const request = { text, voice_id: voice.id, output, speed: 2, response_mode: 'sse', alignment: ['word'] }
    const { body } = await api.post('/v1/tts', request)
    const events = String(body)
      .split('\n')
      .filter((line) => line.startsWith('data: {"event":"alignment"'))
    const segments = events.map((line) => JSON.parse(line.slice('data: '.length)).words.length)
    const [{ alignments: streamed }, spoken] = await Promise.all([
      overWebSocket(voice, [text], { speed: 2 }),
      firstAlignments(voice, text, 2, segments.length),
    ])
    return {
      http: segments,
      webSocket: streamed.map((alignment) => alignment.words.length),
      conversation: spoken.map((alignment) => alignment.words.length),
    }
  })

  test.each(languages)('in %s is segmented alike over HTTP, WebSocket and in a conversation', async (language) => {
    const { http, webSocket, conversation } = await wordsOfSegments(language)
    expect(http).toHaveLength(2)
    expect(webSocket).toEqual(http)
    expect(conversation).toEqual(http)
  })
})
