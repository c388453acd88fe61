import type { components } from './openapi.js'
import type { RequestOptions, Requests } from './request.js'

type Schemas = components['schemas']
type SpeechRequest = Omit<Schemas['TtsRequest'], 'response_mode'>

/** The audio of a text, as it is made. */
export interface SpokenAudio {
  /** To stop reading it early stops the synthesis. */
  readonly audio: ReadableStream<Uint8Array>
  readonly requestId: string
  readonly contentType: string
  readonly sampleRateHz: number
  /** The code points of the text. */
  readonly charactersBilled: number
}

export interface Speak {
  /** Speaks a text of at most 5,000 characters. Resolves with the first byte of its audio. */
  speak(request: Omit<SpeechRequest, 'alignment'>, options?: RequestOptions): Promise<SpokenAudio>
  /** The same with the times of words, phonemes and mouth shapes. Resolves when all of the audio is complete. */
  speakWithTimes(request: SpeechRequest, options?: RequestOptions): Promise<Schemas['TtsJsonResponse']>
}

export const createSpeak = ({ send, sendJson }: Requests): Speak => ({
  async speak(request, options) {
    const response = await send('POST', '/v1/tts', { body: { ...request, response_mode: 'audio' } }, options)
    const headerOf = (name: string) => response.headers.get(name) ?? ''
    return {
      audio: response.body as ReadableStream<Uint8Array>,
      requestId: headerOf('x-request-id'),
      contentType: headerOf('content-type'),
      sampleRateHz: Number(headerOf('x-audio-sample-rate')),
      charactersBilled: Number(headerOf('x-characters-billed')),
    }
  },
  speakWithTimes: (request, options) =>
    sendJson('POST', '/v1/tts', { body: { ...request, response_mode: 'json' } }, options),
})
