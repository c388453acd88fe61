import type { components } from './openapi.js'
import { createOperations, type Operations } from './operations.js'
import { createRequests, type ParlanceOptions } from './request.js'
import { createSpeak, type Speak } from './speak.js'
import { createSpeechStream, type SpeechOptions, type SpeechStream, type SpeechText } from './speech.js'

/** The schemas of the API by name, such as `Schemas['Agent']`. */
export type Schemas = components['schemas']
export {
  type ChangeOptions,
  type List,
  ParlanceError,
  type ParlanceErrorCode,
  type ParlanceOptions,
  type PostOptions,
  type RequestOptions,
} from './request.js'
export type { SpokenAudio } from './speak.js'
export type {
  SpeechAlignment,
  SpeechAudio,
  SpeechCancelled,
  SpeechDone,
  SpeechEvent,
  SpeechOptions,
  SpeechStarted,
  SpeechStream,
  SpeechText,
} from './speech.js'
export {
  type SignedRequest,
  verifySignature,
  verifyWebhook,
  type WebhookEvent,
  WebhookVerificationError,
} from './webhook.js'

/** One method for each operation of the API, and speech. Every method rejects with `ParlanceError`. */
export interface Parlance extends Operations, Speak {
  /**
   * Speaks a text while it is being written: a string, or an iterator of its parts, such as the tokens of a language model.
   * Throws `ParlanceError`, the reason of the signal, or what the iterator throws, to the reader of the speech.
   */
  streamSpeech(text: SpeechText, options: SpeechOptions): SpeechStream
}

/** The API of one workspace. It keeps no connection open. */
export const createParlance = (options: ParlanceOptions): Parlance => {
  const requests = createRequests(options)
  return {
    ...createOperations(requests),
    ...createSpeak(requests),
    streamSpeech: (text, speech) => createSpeechStream(options.url, requests, text, speech),
  }
}
