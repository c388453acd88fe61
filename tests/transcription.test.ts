/** OpenAI's own client transcribes speech, on a whole installation with pocketsphinx. */
import { concatPcm, msToSamples, pcmToBytes, wavHeader } from '@parlance/audio'
import { transcriptionSchema, verboseTranscriptionSchema } from '@parlance/contracts'
import { describeWithPrograms, wordErrors } from '@parlance/testing'
import OpenAI, { toFile } from 'openai'
import { spoken } from '../services/sessions/test/spoken.js'
import { eventually } from './eventually.js'
import { newKey, startTogether, type TestPlatform } from './platforms.js'

const sentences = ['please tell me a very long story', 'what is the weather in the city today']
const sampleRateHz = 16_000
const maxShareOfWrongWords = 0.34

const wavOf = (samples: Int16Array): Uint8Array => {
  const data = pcmToBytes(samples)
  return Buffer.concat([wavHeader({ sampleRateHz, dataBytes: data.length }), data])
}

/** The share of the words that must be changed to make the one of the other. */
const wrongWords = (expected: string, text: string): number => {
  const plain = text.toLowerCase().replace(/[^\p{L}' ]/gu, '')
  return wordErrors(expected, plain) / expected.split(' ').length
}

describeWithPrograms(['flite', 'pocketsphinx'], 'a recording of two sentences', () => {
  let platform: TestPlatform
  let openai: OpenAI
  let workspaceId: string
  let wav: Uint8Array
  let seconds: number
  let firstSentence: Int16Array
  const file = () => toFile(wav, 'recording.wav')

  beforeAll(async () => {
    platform = await startTogether({ TRANSCRIPTION_CREDIT_PER_MINUTE: '0.6', STT_PROVIDER: 'pocketsphinx' })
    const { key, workspace } = await newKey(platform)
    workspaceId = workspace.id
    openai = new OpenAI({ apiKey: key.key, baseURL: `${platform.urls[0]}/v1`, maxRetries: 0 })
    const pause = new Int16Array(msToSamples(1_500, sampleRateHz))
    const [first, second] = await Promise.all(sentences.map((sentence) => spoken(sentence)))
    firstSentence = first!
    const samples = concatPcm([first!, pause, second!])
    wav = wavOf(samples)
    seconds = Math.ceil(samples.length / sampleRateHz)
  })
  afterAll(() => platform?.stop())

  test('is transcribed as JSON, and billed for its seconds exactly', async () => {
    const before = await platform.credit.getBalance({ workspace_id: workspaceId })
    const answer = await openai.audio.transcriptions.create({ file: await file(), model: 'whisper-1', language: 'en' })
    expect(wrongWords(sentences.join(' '), answer.text)).toBeLessThanOrEqual(maxShareOfWrongWords)
    expect(transcriptionSchema.parse(answer).usage).toEqual({ type: 'duration', seconds })
    const spent = await eventually(async () => {
      const { balance } = await platform.credit.getBalance({ workspace_id: workspaceId })
      return balance === before.balance ? undefined : Number(before.balance) - Number(balance)
    })
    expect(spent).toBeCloseTo((0.6 * seconds) / 60, 9)
  })

  test('is transcribed with the times of both sentences, and as subtitles', async () => {
    const options = { file: await file(), model: 'gpt-4o-transcribe' }
    const { transcriptions } = openai.audio
    const verbose = await transcriptions.create({ ...options, response_format: 'verbose_json' })
    const { segments, duration, language } = verboseTranscriptionSchema.parse(verbose)
    expect([language, segments.length]).toEqual(['english', 2])
    expect(Math.ceil(duration)).toBe(seconds)
    for (const [index, sentence] of sentences.entries()) {
      const { start, end, text } = segments[index]!
      expect(wrongWords(sentence, text)).toBeLessThanOrEqual(maxShareOfWrongWords)
      expect(end).toBeGreaterThan(start + 1)
    }
    // A margin of silence belongs to each.
    expect(segments[1]!.start - segments[0]!.end).toBeGreaterThan(0.8)
  })

  test.each([
    ['text', /^[^\n]+\n$/],
    ['srt', /^1\n00:00:00,\d{3} --> 00:00:0\d,\d{3}\n.+\n\n$/],
    ['vtt', /^WEBVTT\n\n00:00:00\.\d{3} --> 00:00:0\d\.\d{3}\n.+\n\n$/],
  ] as const)('is transcribed as %s, here its first sentence', async (response_format, form) => {
    const recording = await toFile(wavOf(firstSentence), 'recording.wav')
    const answer = await openai.audio.transcriptions.create({ file: recording, model: 'whisper-1', response_format })
    const printed = answer as unknown as string
    expect(printed).toMatch(form)
    const text = printed.trim().split('\n').at(-1)!
    expect(wrongWords(sentences[0]!, text)).toBeLessThanOrEqual(maxShareOfWrongWords)
  })

  test('is streamed, a sentence at a time', async () => {
    const stream = await openai.audio.transcriptions.create({ file: await file(), model: 'pocketsphinx', stream: true })
    const deltas: string[] = []
    let whole = ''
    for await (const event of stream) {
      if (event.type === 'transcript.text.delta') deltas.push(event.delta)
      if (event.type === 'transcript.text.done') whole = event.text
    }
    expect(deltas).toHaveLength(2)
    expect(deltas.join('')).toBe(whole)
    expect(wrongWords(sentences.join(' '), whole)).toBeLessThanOrEqual(maxShareOfWrongWords)
  })

  test.each([
    ['a text file', 'This is no audio.', {}, 400, 'file'],
    ['a model that is not here', undefined, { model: 'whisper-9' }, 404, 'whisper-9'],
    ['a language that is not known here', undefined, { language: 'sw' }, 400, 'language: "sw"'],
  ] as const)('with %s in its place is refused and costs nothing', async (_what, content, fields, status, detail) => {
    const { key, workspace } = await newKey(platform)
    const other = new OpenAI({ apiKey: key.key, baseURL: openai.baseURL, maxRetries: 0 })
    const sent = content === undefined ? await file() : await toFile(Buffer.from(content), 'recording.wav')
    const failure = await other.audio.transcriptions
      .create({ file: sent, model: 'whisper-1', ...fields })
      .catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(OpenAI.APIError)
    expect(failure).toMatchObject({ status, message: expect.stringContaining(detail) })
    expect(await platform.credit.getBalance({ workspace_id: workspace.id })).toMatchObject({ balance: '100.00' })
  })
})
