/** OpenAI's own client transcribes speech, on a whole installation with pocketsphinx. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { concatPcm, msToSamples, pcmToBytes, wavHeader } from '@parlance/audio'
import {
  type ListenServerMessage,
  listenProtocol,
  transcriptionSchema,
  verboseTranscriptionSchema,
} from '@parlance/contracts'
import { describeWithPrograms, wordErrors } from '@parlance/testing'
import OpenAI, { toFile } from 'openai'
import { WebSocket } from 'ws'
import { spoken } from '../services/sessions/test/spoken.js'
import { testedCommands } from './documents.js'
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
  let firstWithPause: Int16Array
  const file = () => toFile(wav, 'recording.wav')

  beforeAll(async () => {
    platform = await startTogether({ TRANSCRIPTION_CREDIT_PER_MINUTE: '0.6', STT_PROVIDER: 'pocketsphinx' })
    const { key, workspace } = await newKey(platform)
    workspaceId = workspace.id
    openai = new OpenAI({ apiKey: key.key, baseURL: `${platform.urls[0]}/v1`, maxRetries: 0 })
    const pause = new Int16Array(msToSamples(1_500, sampleRateHz))
    const [first, second] = await Promise.all(sentences.map((sentence) => spoken(sentence)))
    firstSentence = first!
    firstWithPause = concatPcm([first!, pause])
    const samples = concatPcm([firstWithPause, second!])
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

  test('is transcribed by the command of the documentation', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parlance-transcription-'))
    await writeFile(join(folder, 'hello.wav'), wav)
    const [command] = testedCommands('docs/transcription.md')
    const { stdout } = await promisify(execFile)('bash', ['-euc', command!], {
      cwd: folder,
      env: { ...process.env, URL: platform.urls[0], KEY: openai.apiKey! },
    })
    await rm(folder, { recursive: true })
    expect(wrongWords(sentences.join(' '), JSON.parse(stdout).text)).toBeLessThanOrEqual(maxShareOfWrongWords)
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

  /** `connect` opens connections with one token. It resolves with the close code. */
  const newListener = async () => {
    const { key, workspace } = await newKey(platform)
    const minted = await fetch(`${platform.urls[0]}/v1/listen/tokens`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key.key}` },
    })
    const { token, websocket_url } = (await minted.json()) as { token: string; websocket_url: string }
    const connect = (onMessage: (message: ListenServerMessage, socket: WebSocket) => void) => {
      const socket = new WebSocket(websocket_url, [listenProtocol, `awp.token.${token}`])
      socket.on('message', (data) => onMessage(JSON.parse(String(data)), socket))
      return new Promise<number>((resolve) => socket.once('close', resolve))
    }
    return { key, workspace, connect }
  }

  test('is recognized while it is streamed, billed by the second, and its token opens one connection', async () => {
    const { workspace, connect } = await newListener()
    const messages: ListenServerMessage[] = []
    const pcm = wav.subarray(44)
    // A busy machine would not recognize both sentences in time at once.
    const parts = [pcm.subarray(0, firstWithPause.byteLength), pcm.subarray(firstWithPause.byteLength)]
    const sendNext = (socket: WebSocket) => {
      const part = parts.shift()
      if (part === undefined) return
      for (let at = 0; at < part.length; at += 32_000) socket.send(part.subarray(at, at + 32_000))
      if (parts.length === 0) socket.send('{"event":"close"}')
    }
    const code = await connect((message, socket) => {
      messages.push(message)
      if (message.event === 'ready') {
        const format = { encoding: 'pcm_s16le', sample_rate: sampleRateHz }
        socket.send(JSON.stringify({ event: 'start', ...format, interim_results: true, language: 'en' }))
      }
      if (message.event === 'started' || (message.event === 'transcript' && message.final)) sendNext(socket)
    })
    expect(code).toBe(1000)
    const transcripts = messages.filter((message) => message.event === 'transcript')
    const texts = transcripts.filter(({ final }) => final).map(({ text }) => text)
    expect(texts).toHaveLength(2)
    expect(wrongWords(sentences.join(' '), texts.join(' '))).toBeLessThanOrEqual(maxShareOfWrongWords)
    expect(transcripts.some(({ final }) => !final)).toBe(true)
    expect(messages.at(-1)).toEqual({ event: 'done', audio_seconds_billed: seconds })
    const balance = (100 - (0.6 * seconds) / 60).toFixed(2)
    await eventually(async () => {
      const now = await platform.credit.getBalance({ workspace_id: workspace.id })
      return now.balance === balance ? true : undefined
    })
    const again: ListenServerMessage[] = []
    expect(await connect((message) => again.push(message))).toBe(4401)
    expect(again).toMatchObject([{ event: 'error', code: 'stream_token_invalid' }])
  })

  test('is recognized no more when the key that minted the token is revoked', async () => {
    const { key, workspace, connect } = await newListener()
    const codes: string[] = []
    const code = await connect((message) => {
      if (message.event === 'ready') void platform.auth.revokeKey({ workspace_id: workspace.id, key_id: key.id })
      if (message.event === 'error') codes.push(message.code)
    })
    expect([codes, code]).toEqual([['unauthorized'], 4401])
  })
})
