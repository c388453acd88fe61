/**
 * Model folders of a few kilobytes that recognize tones: each word is one tone, and no other sound is recognized.
 * The transcript of `spokenInTones` is the same on every processor.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onnxFile } from '../onnx-writer.js'
import { mergedMoonshine, moonshine } from './moonshine.js'
import { nemoTransducer } from './nemo-transducer.js'
import { paraformer } from './paraformer.js'
import { senseVoiceModel } from './sense-voice.js'
import { streamingZipformer } from './streaming-zipformer.js'
import type { ToneModelFiles } from './tone-model-files.js'
import { whisper } from './whisper.js'

const filesOf = {
  streaming: streamingZipformer,
  'sense-voice': senseVoiceModel,
  paraformer,
  'nemo-transducer': nemoTransducer,
  whisper,
  moonshine,
  'merged-moonshine': mergedMoonshine,
} as const satisfies Readonly<Record<string, ToneModelFiles>>

/** `streaming` is a Zipformer transducer; the others recognize an utterance when it has ended. */
export type ToneRecognizerKind = keyof typeof filesOf

/** Every kind of model that recognizes tones. */
export const toneRecognizerKinds = Object.keys(filesOf) as ToneRecognizerKind[]

export interface ToneRecognizerOptions {
  /** Default `streaming`. */
  readonly kind?: ToneRecognizerKind
  /** Replaces metadata of the model (of its encoder); undefined removes the key. */
  readonly metadata?: Readonly<Record<string, string | number | undefined>>
}

/** Creates the folder `path` with a model. */
export const writeToneRecognizer = async (path: string, options: ToneRecognizerOptions = {}): Promise<void> => {
  const { kind = 'streaming', metadata = {} } = options
  const { models, symbols, encoded = false, tokensName = 'tokens.txt' }: ToneModelFiles = filesOf[kind]
  await mkdir(path, { recursive: true })
  for (const [index, [name, model]] of Object.entries(models).entries()) {
    const entries = Object.entries({ ...model.metadata, ...(index === 0 ? metadata : {}) })
    const kept = entries.flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const]))
    await writeFile(join(path, name), onnxFile({ ...model, metadata: Object.fromEntries(kept) }))
  }
  const written = symbols.map((symbol) => (encoded ? Buffer.from(symbol).toString('base64') : symbol))
  await writeFile(join(path, tokensName), written.map((symbol, index) => `${symbol} ${index}\n`).join(''))
}
