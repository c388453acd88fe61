import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import {
  type AudioFormat,
  errorBodySchema,
  sampleRatesHz,
  ttsJsonResponseSchema,
  type Voice,
  voicePageSchema,
} from '@parlance/contracts'
import { eventually } from '../eventually.js'
import { readMetric } from '../metrics.js'
import { newKey, onPlatform, type TestPlatform } from '../platforms.js'

const sentence = 'The quick brown fox jumps over the lazy dog.'

export const speech = onPlatform('speech over HTTP', (platform) => {
  let authorization: string
  let voices: Voice[]

  const get = (path: string) => fetch(`${platform().urls[0]}${path}`, { headers: { authorization } })

  const post = (path: string, body: object, init: RequestInit = {}) =>
    fetch(`${platform().urls[0]}${path}`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      ...init,
    })

  const english = () => voices.find(({ languages }) => languages.includes('en'))!
  const speak = (fields: object = {}, init: RequestInit = {}) =>
    post('/v1/tts', { text: sentence, voice_id: english().id, ...fields }, init)

  const expectError = async (response: Response, status: number, code: string) => {
    expect(errorBodySchema.parse(await response.json())).toMatchObject({ code })
    expect(response.status).toBe(status)
  }

  const readJson = async (response: Response) => ttsJsonResponseSchema.parse(await response.json())

  beforeAll(async () => {
    authorization = (await newKey(platform())).authorization
    voices = await eventually(async () => {
      const response = await get('/v1/voices')
      // The engines have not announced their voices yet.
      if (response.status === 503) return undefined
      const page = voicePageSchema.parse(await response.json())
      return page.voices.length > 0 ? page.voices : undefined
    })
  })

  test('at least twelve voices in six languages are offered', () => {
    expect(voices.length).toBeGreaterThanOrEqual(12)
    expect(new Set(voices.map(({ languages }) => languages[0]!.slice(0, 2))).size).toBeGreaterThanOrEqual(6)
    expect(new Set(voices.map(({ display_name }) => display_name)).size).toBe(voices.length)
  })

  test('every offered voice speaks', async () => {
    for (const { id } of voices) {
      const response = await speak({ voice_id: id, text: 'Radio 1, 2, 3.', output: { format: 'pcm_s16le' } })
      expect(response.status).toBe(200)
      const pcm = new Int16Array(await response.arrayBuffer())
      const loudest = pcm.reduce((loudest, sample) => Math.max(loudest, Math.abs(sample)), 0)
      expect(pcm.length).toBeGreaterThan(24_000 / 2)
      expect(loudest).toBeGreaterThan(2_000)
    }
  })

  // Each sample rate of each format is decoded beside the encoders.
  const outputs = Object.entries(sampleRatesHz).map(([format, rates]) => ({
    format: format as AudioFormat,
    sample_rate: rates.at(-1)!,
  }))
  test.each(outputs)('$format at $sample_rate Hz plays as long as its JSON answer', async (output) => {
    const [response, json] = await Promise.all([
      speak({ output }),
      speak({ output, response_mode: 'json' }).then(readJson),
    ])
    expect(response.headers.get('x-audio-sample-rate')).toBe(String(output.sample_rate))
    expect(response.headers.get('x-characters-billed')).toBe(String(sentence.length))
    const streamed = Buffer.from(await response.arrayBuffer())
    const raw = { pcm_s16le: 's16le', ulaw: 'mulaw', alaw: 'alaw' }[output.format as string]
    const seconds = decodedSeconds(streamed, raw, output.sample_rate)
    // MP3 adds the delay of its codec and pads the last frame.
    const tolerance = output.format === 'mp3' ? 0.15 : 0.025
    const ofJson = decodedSeconds(Buffer.from(json.audio_base64, 'base64'), raw, output.sample_rate)
    expect(Math.abs(ofJson - json.audio_duration_ms / 1000)).toBeLessThan(tolerance)
    // The voice varies a little between syntheses.
    expect(Math.abs(seconds - ofJson)).toBeLessThan(0.05)
  })

  test('words, phonemes and visemes match the text and the times of the audio', async () => {
    const text = `${sentence} `.repeat(12)
    const response = await speak({
      text,
      response_mode: 'json',
      alignment: ['word', 'phoneme', 'viseme'],
      output: { format: 'wav' },
    })
    const { alignment, audio_duration_ms } = await readJson(response)
    expect(alignment.words.map((word: { text: string }) => word.text)).toEqual(text.match(/\w+/g))
    for (const items of [alignment.words, alignment.phonemes, alignment.visemes]) {
      expect(items.length).toBeGreaterThan(50)
      let before = 0
      for (const { start_ms, end_ms } of items) {
        expect(start_ms).toBeGreaterThanOrEqual(before)
        expect(end_ms).toBeGreaterThanOrEqual(start_ms)
        before = start_ms
      }
      expect(items.at(-1)!.end_ms).toBeLessThanOrEqual(audio_duration_ms)
    }
  })

  test('server-sent events contain the audio and the alignment, and end with done', async () => {
    const response = await speak({ response_mode: 'sse', alignment: ['word'], output: { format: 'pcm_s16le' } })
    const events = (await response.text())
      .split('\n\n')
      .filter(Boolean)
      .map((block) =>
        JSON.parse(
          block
            .split('\n')
            .find((line) => line.startsWith('data: '))!
            .slice(6),
        ),
      )
    const audio = Buffer.concat(
      events.filter(({ event }) => event === 'audio').map(({ data }) => Buffer.from(data, 'base64')),
    )
    const plain = Buffer.from(await (await speak({ output: { format: 'pcm_s16le' } })).arrayBuffer())
    // The voice varies between syntheses, so the bytes differ, and the length by some milliseconds.
    expect(Math.abs(audio.length - plain.length) / 2 / 24).toBeLessThan(50)
    expect(events.at(-1)).toMatchObject({ event: 'done', characters_billed: sentence.length })
    expect(events.at(-2)).toMatchObject({ event: 'alignment', segment: 0 })
  })

  test('speed changes the duration, and volume the loudness', async () => {
    const pcm = async (fields: object) =>
      new Int16Array(await (await speak({ output: { format: 'pcm_s16le' }, ...fields })).arrayBuffer())
    const power = (samples: Int16Array) => samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length
    const [normal, fast, slow, quiet] = await Promise.all([
      pcm({}),
      pcm({ speed: 2 }),
      pcm({ speed: 0.5 }),
      pcm({ volume: 0.25 }),
    ])
    expect(fast.length).toBeLessThan(normal.length * 0.7)
    expect(slow.length).toBeGreaterThan(normal.length * 1.4)
    expect(power(quiet)).toBeLessThan(power(normal) / 8)
  })

  test('markup is spoken as text', async () => {
    const text = '<speak>One <break time="3s"/> two &amp; [[h@"loU]] three</speak>'
    const response = await speak({ text, response_mode: 'json', alignment: ['word'], output: { format: 'wav' } })
    const { alignment, characters_billed } = await readJson(response)
    const spoken = alignment.words.map((word: { text: string }) => word.text.toLowerCase()).join(' ')
    for (const word of ['speak', 'one', 'break', 'time', 'two', 'amp', 'three']) expect(spoken).toContain(word)
    expect(characters_billed).toBe(text.length)
  })

  test('the OpenAI route speaks with a voice by its name', async () => {
    const response = await post('/v1/audio/speech', {
      model: 'tts-1',
      input: 'Hello.',
      voice: english().display_name,
    })
    expect(response.status).toBe(200)
    expect(decodedSeconds(Buffer.from(await response.arrayBuffer()))).toBeGreaterThan(0.3)
  })

  test('5,000 code points are spoken, and one more is refused before any other check', async () => {
    const response = await speak({ text: `${'😀'.repeat(4_990)}Ten more.!`, output: { format: 'ulaw' }, speed: 2 })
    expect(response.status).toBe(200)
    expect(response.headers.get('x-characters-billed')).toBe('5000')
    await response.body?.cancel()
    await expectError(await speak({ text: '😀'.repeat(5_001), voice_id: 7, unknown: true }), 413, 'text_too_long')
  })

  test('errors of the speech service have the same shape', async () => {
    await expectError(await speak({ voice_id: 'f'.repeat(32) }), 404, 'voice_not_found')
    await expectError(await speak({ tts_variant: 'neural' }), 400, 'invalid_request')
    await expectError(await speak({ language: 'xx' }), 400, 'invalid_request')
    await expectError(await speak({ output: { format: 'ulaw', sample_rate: 44100 } }), 400, 'unsupported_format')
  })

  test('a disconnect stops the synthesis', async () => {
    const body = JSON.stringify({
      text: `${sentence} `.repeat(100),
      voice_id: english().id,
      output: { format: 'mp3' },
      speed: 0.5,
    })
    const before = await audioSeconds()
    const request = httpRequest(`${platform().urls[0]}/v1/tts`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
    })
    request.end(body)
    const [response] = await once(request, 'response')
    await once(response, 'data')
    request.destroy()
    // The whole text would be about twelve minutes of audio.
    const made = await eventually(async () => {
      const first = await audioSeconds()
      await new Promise((resolve) => setTimeout(resolve, 300))
      return (await audioSeconds()) === first ? first - before : undefined
    })
    expect(made).toBeLessThan(300)
  })

  /** The duration of all audio made so far, from the metrics of the speaking process. */
  const audioSeconds = () => readMetric(platform().metricsUrl, 'parlance_tts_audio_seconds_total')

  test('when an engine process is killed its request fails, and the next one is answered', async () => {
    const text = `${sentence} `.repeat(100)
    const victim = await speak({ text, output: { format: 'pcm_s16le' }, speed: 0.5 })
    expect(victim.status).toBe(200)
    const killed = engineProcesses(platform())
    for (const pid of killed) process.kill(pid, 'SIGKILL')
    await expect(victim.arrayBuffer()).rejects.toThrow()
    // All were killed at once, and on a busy machine one of low priority takes a while to end. A text given to it would fail.
    await eventually(async () => engineProcesses(platform()).every((pid) => !killed.includes(pid)) || undefined)

    // Its audio has not been made before, so it cannot come from the cache.
    const unspoken = 'This sentence is spoken by a process that was started for it.'
    // Until the new process has started, a busy machine may refuse a text.
    const next = await eventually(async () => {
      const response = await speak({ text: unspoken, output: { format: 'pcm_s16le' } })
      return response.status === 200 ? response : undefined
    })
    expect((await next.arrayBuffer()).byteLength).toBeGreaterThan(24_000)
  })
})

/** Children of the speaking process that run the engine's program. */
const engineProcesses = ({ speakingPid }: TestPlatform): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const parent = Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
        return parent === speakingPid && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('engines/espeak-ng')
      } catch {
        return false
      }
    })
    .map(Number)

/** The duration according to ffmpeg. `raw` is the encoding of audio without a header. */
const decodedSeconds = (audio: Buffer, raw?: string, sampleRateHz = 24_000): number => {
  const input = raw === undefined ? [] : ['-f', raw, '-ar', String(sampleRateHz), '-ac', '1']
  const { stdout, stderr, status } = spawnSync(
    'ffmpeg',
    ['-v', 'error', ...input, '-i', 'pipe:0', '-f', 's16le', '-ac', '1', '-ar', '48000', 'pipe:1'],
    { input: audio, maxBuffer: 1 << 28 },
  )
  if (status !== 0) throw new Error(`ffmpeg could not play it: ${stderr}`)
  return stdout.length / 2 / 48_000
}
