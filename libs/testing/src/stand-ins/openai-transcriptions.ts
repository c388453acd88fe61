import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { parseWav } from '@parlance/audio'
import { type LocalServer, sendJson, startLocalServer } from '../local-server.js'
import { createFaults, type Faults, standInKey } from './faults.js'

/** Refuses fields that are not documented, as the original does. */
const published = ['file', 'model', 'language', 'prompt', 'response_format', 'temperature']

export type TranscriptionFault =
  | 'answers with a web page'
  | 'does not answer'
  | 'stalls in the middle'
  | 'redirects'
  | 'floods'
  | 'hangs up'
  | 'hangs up in the middle'
  | 'sends half an answer'
  | 'answers in another shape'
  | 'fails'
  | 'takes no key'
  | 'has no room'
  | 'has used up its quota'
  | 'does not know the model'

export interface AskedTranscription {
  readonly model: string
  readonly language: string | undefined
  readonly samples: Int16Array
}

export interface TranscriptionStandIn
  extends Pick<Faults<TranscriptionFault>, 'misbehave'>,
    Pick<LocalServer, 'close'> {
  /** With the version. */
  readonly url: string
  /** What it has been asked, in order; each attempt counts. */
  readonly asked: AskedTranscription[]
  /** What it writes of silence; nothing if not given. */
  writeOfSilence(text: string): void
  /** How many requests came to where a redirect points. */
  followed(): number
  /** Resolves when the other side has given up a request that is under way. */
  givenUp(): Promise<void>
}

/** Reads the form as the platform does, and refuses what a strict server would. */
const readForm = async (request: IncomingMessage): Promise<AskedTranscription> => {
  if (request.headers.authorization !== `Bearer ${standInKey}`) throw new Error('a wrong key')
  const body = await buffer(request)
  if (Number(request.headers['content-length']) !== body.length) throw new Error('a wrong content length')
  const headers = { 'content-type': request.headers['content-type'] ?? '' }
  const form = await new Response(body as Uint8Array<ArrayBuffer>, { headers }).formData()
  for (const name of form.keys()) {
    if (!published.includes(name)) throw new Error(`a field ${name}`)
    if (form.getAll(name).length !== 1) throw new Error(`more than one ${name}`)
  }
  const [file, model, language, format] = ['file', 'model', 'language', 'response_format'].map((name) => form.get(name))
  if (!(file instanceof File) || !file.name.endsWith('.wav')) throw new Error('a file name without an extension')
  if (typeof model !== 'string' || format !== 'json') throw new Error('a form that lacks something')
  if (language !== null && !/^[a-z]{2,3}$/.test(String(language))) throw new Error(`a language ${language}`)
  const { sampleRateHz, data } = parseWav(new Uint8Array(await file.arrayBuffer()))
  if (sampleRateHz !== 16_000) throw new Error(`a rate of ${sampleRateHz}`)
  const samples = new Int16Array(data.slice().buffer)
  if (samples.length < 1600) throw new Error('audio that is too short')
  return { model, language: language === null ? undefined : String(language), samples }
}

const fail = (response: ServerResponse, status: number, code: string) =>
  sendJson(response, status, { error: { message: `no, ${standInKey}`, type: 'some_error', param: null, code } })

const secretPage = `<html><body>${standInKey}, and private words</body></html>`

const ways: Record<TranscriptionFault, (response: ServerResponse) => void> = {
  'answers with a web page': (response) => response.writeHead(200, { 'content-type': 'text/html' }).end(secretPage),
  'does not answer': () => {},
  'stalls in the middle': (response) => response.writeHead(200).write('{"text": "half'),
  redirects: (response) => response.writeHead(307, { location: '/elsewhere' }).end(),
  floods: (response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write('{"text": "')
    const more = () => {
      while (!response.destroyed && response.write('la '.repeat(10_000)));
    }
    response.on('drain', more)
    more()
  },
  'hangs up': (response) => response.destroy(),
  'hangs up in the middle': (response) => {
    response.writeHead(200, { 'content-length': '100' }).write('{"text": "half', () => response.destroy())
  },
  'sends half an answer': (response) => response.writeHead(200).end('{"text": "half'),
  'answers in another shape': (response) => response.writeHead(200).end(JSON.stringify({ text: { words: 'hi' } })),
  fails: (response) => fail(response, 500, 'server_error'),
  'takes no key': (response) => fail(response, 401, 'invalid_api_key'),
  'has no room': (response) => fail(response, 429, 'rate_limit_exceeded'),
  'has used up its quota': (response) => fail(response, 429, 'insufficient_quota'),
  'does not know the model': (response) => fail(response, 404, 'model_not_found'),
}

/** Recognizes words where there is sound, and nothing in silence. */
export const startOpenaiTranscriptionStandIn = async (words: string): Promise<TranscriptionStandIn> => {
  const asked: AskedTranscription[] = []
  const faults = createFaults<TranscriptionFault>()
  let followed = 0
  let ofSilence = ''
  let onGivenUp = () => {}

  const server = await startLocalServer(async (request, response) => {
    response.on('error', () => {})
    response.on('close', () => response.writableFinished || onGivenUp())
    if (request.url !== '/v1/audio/transcriptions' || request.method !== 'POST') {
      followed++
      return fail(response, 404, 'not_found')
    }
    try {
      asked.push(await readForm(request))
    } catch (error) {
      return fail(response, 400, (error as Error).message)
    }
    const fault = faults.next()
    if (fault !== undefined) return ways[fault](response)
    const loud = asked.at(-1)!.samples.some((sample) => Math.abs(sample) > 500)
    return sendJson(response, 200, { text: loud ? ` ${words} ` : ofSilence, usage: { type: 'duration', seconds: 1 } })
  })

  return {
    url: `${server.url}/v1`,
    asked,
    misbehave: faults.misbehave,
    writeOfSilence: (text) => {
      ofSilence = text
    },
    followed: () => followed,
    givenUp: () =>
      new Promise((resolve) => {
        onGivenUp = resolve
      }),
    close: server.close,
  }
}
