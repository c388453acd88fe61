/**
 * Model folders of a few kilobytes that recognise tones: each word is one tone, and no other sound is recognised.
 * The transcript of `spokenInTones` is the same on every processor.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { float, node, shape } from './onnx-parts.js'
import { type OnnxModel, type OnnxValue, onnxFile } from './onnx-writer.js'

/** The tones are far enough apart that none has energy in the band of another. No word may follow itself. */
const hzOfWord = { hello: 300, world: 500, please: 800, tell: 1200, me: 1700, the: 2400, time: 3400 } as const
export type ToneWord = keyof typeof hzOfWord
const words = Object.keys(hzOfWord) as ToneWord[]

const sampleRateHz = 16_000
const wordSamples = 0.2 * sampleRateHz
const pauseSamples = 0.1 * sampleRateHz
const loudness = 10_000

/**
 * The words as mono s16 samples that these models recognise: 200 ms of a tone each, and 100 ms of silence before,
 * between and after them.
 */
export const spokenInTones = (...spokenWords: readonly ToneWord[]): Int16Array => {
  const pcm = new Int16Array(pauseSamples + spokenWords.length * (wordSamples + pauseSamples))
  for (const [place, word] of spokenWords.entries()) {
    const start = pauseSamples + place * (wordSamples + pauseSamples)
    const radians = (2 * Math.PI * hzOfWord[word]) / sampleRateHz
    for (let at = 0; at < wordSamples; at++) {
      // The tone fades in and out: an abrupt tone would contain all frequencies.
      const swell = Math.sin((Math.PI * at) / wordSamples)
      pcm[start + at] = Math.round(loudness * swell * swell * Math.sin(radians * at))
    }
  }
  return pcm
}

export type ToneRecognizerKind = 'streaming' | 'sense-voice'

export interface ToneRecognizerOptions {
  /** A streaming Zipformer transducer, or SenseVoice, which recognises an utterance when it has ended. Default `streaming`. */
  readonly kind?: ToneRecognizerKind
  /** Replaces metadata of the model (of its encoder); undefined removes the key. */
  readonly metadata?: Readonly<Record<string, string | number | undefined>>
}

/** The features are the logarithms of the energy in 80 bands, equally wide on the mel scale. */
const bands = 80
const mel = (hz: number) => 1127 * Math.log(1 + hz / 700)
const lowestMel = mel(20)
const bandOf = (hz: number, highestHz: number) =>
  Math.round(((mel(hz) - lowestMel) / (mel(highestHz) - lowestMel)) * (bands + 1)) - 1

/** Energy above this is a tone. */
const threshold = 0
const symbols = ['<blk>', ...words.map((word) => `▁${word}`)]

/** Weights from so many frames at once, of which only the last counts, to the energy of each symbol. */
const bandWeights = (frames: number, symbolCount: number, highestHz: number) => {
  const matrix = new Array<number>(frames * bands * symbolCount).fill(0)
  for (const [index, word] of words.entries()) {
    matrix[((frames - 1) * bands + bandOf(hzOfWord[word], highestHz)) * symbolCount + index + 1] = 1
  }
  return float(matrix, [frames * bands, symbolCount])
}

const floats = (...lengths: readonly (number | string)[]): OnnxValue => ({ type: 'float', shape: lengths })

const chunk = { frames: 16, shift: 8 }
/** The states of a Zipformer, as small as possible. Each is returned unchanged. */
const states: Readonly<Record<string, OnnxValue>> = {
  cached_key_0: floats(2, 'N', 4),
  cached_nonlin_attn_0: floats(1, 'N', 2, 3),
  cached_val1_0: floats(2, 'N', 4),
  cached_val2_0: floats(2, 'N', 4),
  cached_conv1_0: floats('N', 4, 1),
  cached_conv2_0: floats('N', 4, 1),
  embed_states: floats('N', 128, 3, 19),
  processed_lens: { type: 'int64', shape: ['N'] },
}
const renamed = (values: Readonly<Record<string, OnnxValue>>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`new_${name}`, value]))

const encoder: OnnxModel = {
  nodes: [
    node('some', 'Slice', 'x', 'start', 'end', 'frameAxis', 'step'),
    node('energies', 'MatMul', 'some', 'bands'),
    node('encoder_out', 'Add', 'energies', 'silence'),
    ...Object.keys(states).map((name) => node(`new_${name}`, 'Identity', name)),
  ],
  constants: {
    start: shape(0),
    end: shape(chunk.shift),
    frameAxis: shape(1),
    step: shape(4),
    bands: bandWeights(1, symbols.length, 7600),
    silence: float([threshold, ...words.map(() => 0)], [symbols.length]),
  },
  inputs: { x: floats('N', chunk.frames, bands), ...states },
  outputs: { encoder_out: floats('N', chunk.shift / 4, symbols.length), ...renamed(states) },
  metadata: {
    model_type: 'zipformer2',
    version: 1,
    comment: 'tones for tests',
    decode_chunk_len: chunk.shift,
    T: chunk.frames,
    encoder_dims: 4,
    query_head_dims: 4,
    value_head_dims: 4,
    num_heads: 1,
    num_encoder_layers: 1,
    cnn_module_kernels: 3,
    left_context_len: 2,
  },
}

/** The last word is not emitted again: a tone lasts many frames and is one word. */
const decoder: OnnxModel = {
  nodes: [node('last', 'Squeeze', 'y', 'contextAxis'), node('decoder_out', 'Gather', 'repetition', 'last')],
  constants: {
    contextAxis: shape(1),
    repetition: float(
      symbols.flatMap((_, last) => symbols.map((_, next) => (last === next && next > 0 ? -1000 : 0))),
      [symbols.length, symbols.length],
    ),
  },
  inputs: { y: { type: 'int64', shape: ['N', 1] } },
  outputs: { decoder_out: floats('N', symbols.length) },
  metadata: { context_size: 1, vocab_size: symbols.length },
}

const joiner: OnnxModel = {
  nodes: [node('logit', 'Add', 'encoder_out', 'decoder_out')],
  constants: {},
  inputs: { encoder_out: floats('N', symbols.length), decoder_out: floats('N', symbols.length) },
  outputs: { logit: floats('N', symbols.length) },
  metadata: { joiner_dim: symbols.length },
}

const senseVoiceSymbols = [...symbols, '<|en|>', '<|NEUTRAL|>', '<|Speech|>', '<|woitn|>']
/** One input is so many frames; the next input begins `shift` frames later. */
const stacked = { frames: 7, shift: 6 }
const stackedBands = stacked.frames * bands

/** Its output begins with the language, the emotion, the kind of sound and the format of numbers. */
const senseVoice: OnnxModel = {
  nodes: [
    node('energies', 'MatMul', 'x', 'bands'),
    node('words', 'Add', 'energies', 'silence'),
    node('logits', 'Concat', 'about', 'words'),
  ].map((one) => (one.op === 'Concat' ? { ...one, integers: { axis: 1 } } : one)),
  constants: {
    bands: bandWeights(stacked.frames, senseVoiceSymbols.length, 8000),
    silence: float(
      senseVoiceSymbols.map((_, index) => (index === 0 ? threshold : index < symbols.length ? 0 : -1000)),
      [senseVoiceSymbols.length],
    ),
    about: float(
      [0, 1, 2, 3].flatMap((place) => senseVoiceSymbols.map((_, index) => (index === symbols.length + place ? 1 : 0))),
      [1, 4, senseVoiceSymbols.length],
    ),
  },
  inputs: {
    x: floats('N', 'T', stackedBands),
    x_length: { type: 'int32', shape: ['N'] },
    language: { type: 'int32', shape: ['N'] },
    text_norm: { type: 'int32', shape: ['N'] },
  },
  outputs: { logits: floats('N', 'T4', senseVoiceSymbols.length) },
  metadata: {
    model_type: 'sense_voice_ctc',
    comment: 'tones for tests',
    vocab_size: senseVoiceSymbols.length,
    lfr_window_size: stacked.frames,
    lfr_window_shift: stacked.shift,
    normalize_samples: 1,
    with_itn: 14,
    without_itn: 15,
    lang_auto: 0,
    lang_zh: 3,
    lang_en: 4,
    lang_yue: 7,
    lang_ja: 11,
    lang_ko: 12,
    neg_mean: new Array(stackedBands).fill(0).join(','),
    inv_stddev: new Array(stackedBands).fill(1).join(','),
  },
}

const files: Readonly<Record<ToneRecognizerKind, Readonly<Record<string, OnnxModel>>>> = {
  streaming: { 'encoder.onnx': encoder, 'decoder.onnx': decoder, 'joiner.onnx': joiner },
  'sense-voice': { 'model.onnx': senseVoice },
}

/** Creates the folder `path` with a model. */
export const writeToneRecognizer = async (path: string, options: ToneRecognizerOptions = {}): Promise<void> => {
  const { kind = 'streaming', metadata = {} } = options
  await mkdir(path, { recursive: true })
  for (const [index, [name, model]] of Object.entries(files[kind]).entries()) {
    const entries = Object.entries({ ...model.metadata, ...(index === 0 ? metadata : {}) })
    const kept = entries.flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const]))
    await writeFile(join(path, name), onnxFile({ ...model, metadata: Object.fromEntries(kept) }))
  }
  const all = kind === 'streaming' ? symbols : senseVoiceSymbols
  await writeFile(join(path, 'tokens.txt'), all.map((symbol, index) => `${symbol} ${index}\n`).join(''))
}
