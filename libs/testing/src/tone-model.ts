/**
 * A model folder of a few kilobytes: every phoneme is a different tone, every pause is silence, and all have the same duration.
 * The sound of a text and its length can be computed beforehand.
 */
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { float, node, type OnnxModel, type OnnxNode, type OnnxValue, onnxFile, shape } from './onnx-writer.js'

/** Pauses first: the space between words, and the marks that end clauses. */
const pauses = [' ', ',', '.', '!', '?']
const phonemes = ['AA', 'IY', 'UW', 'EH', 'B', 'D', 'S', 'T', 'M', 'L', 'R']

/** The words it can speak without eSpeak NG. */
const lexicon: Readonly<Record<string, string>> = {
  hello: 'EH L UW',
  world: 'UW R L D',
  one: 'UW AA M',
  two: 'T UW',
  three: 'S R IY',
  four: 'B UW R',
  tea: 'T IY',
  red: 'R EH D',
  boat: 'B UW T',
  mississippi: 'M IY S IY S IY B IY',
}

/** With eSpeak NG a phoneme is a letter of IPA, or several; the first three pad, begin and end a sentence. */
const ipaPauses = ['_', '^', '$', ...pauses]
const ipaPhonemes = [...'abdefhijklmnopstuvwzæðŋɐɑɔəɚɛɜɡɪɹɾʃʊʌʒθᵻˈˌː']

export interface ToneModelOptions {
  /** The architecture, which determines the files. Default `vits`, the only one that needs no data of eSpeak NG. */
  readonly shape?: ToneModelShape
  /** The folder of eSpeak NG's data. */
  readonly espeakData?: string
  /** How long every phoneme and every pause lasts at speed 1. Default 50. */
  readonly phonemeMs?: number
  readonly sampleRateHz?: number
  readonly speakers?: number
  /** The number of big matrix multiplications for each sentence, which only take time. */
  readonly work?: number
  /** Replaces metadata; undefined removes the key. */
  readonly metadata?: Readonly<Record<string, string | number | undefined>>
}
export type ToneModelShape = 'vits' | 'piper' | 'kokoro' | 'matcha'

const toFloat = { to: 1 }

/** The inputs of an architecture: text as `ids`, `speaker`, and pace as `length_scale`; `seed` is any number among them. */
interface Inputs {
  readonly inputs: Readonly<Record<string, OnnxValue>>
  readonly nodes: readonly OnnxNode[]
  readonly metadata: Readonly<Record<string, string | number>>
}

const ids: OnnxValue = { type: 'int64', shape: ['batch', 'tokens'] }
const lengths: OnnxValue = { type: 'int64', shape: ['batch'] }
const number: OnnxValue = { type: 'float', shape: [1] }
const speakerId: OnnxValue = { type: 'int64', shape: [1] }
const speakerOfId = { ...node('speaker', 'Cast', 'sid'), integers: toFloat }

/** For each speaker and each length of text as many numbers as this, all of them the speaker's. */
const kokoroStyle = { lengths: 200, numbers: 2 }

const inputsOfShape: Readonly<Record<ToneModelShape, Inputs>> = {
  vits: {
    inputs: {
      x: ids,
      x_length: lengths,
      noise_scale: number,
      length_scale: number,
      noise_scale_w: number,
      sid: speakerId,
    },
    nodes: [node('ids', 'Identity', 'x'), node('seed', 'Identity', 'noise_scale'), speakerOfId],
    metadata: { model_type: 'vits', comment: 'tones for tests' },
  },
  piper: {
    inputs: { input: ids, input_lengths: lengths, scales: { type: 'float', shape: [3] }, sid: speakerId },
    nodes: [
      node('ids', 'Identity', 'input'),
      node('seed', 'Gather', 'scales', 'first'),
      node('length_scale', 'Gather', 'scales', 'second'),
      speakerOfId,
    ],
    metadata: { model_type: 'vits', comment: 'piper', voice: 'en-us', has_espeak: 1 },
  },
  kokoro: {
    inputs: { tokens: ids, style: { type: 'float', shape: [1, kokoroStyle.numbers] }, speed: number },
    nodes: [
      node('ids', 'Identity', 'tokens'),
      node('seed', 'Identity', 'speed'),
      node('length_scale', 'Div', 'one', 'speed'),
      { ...node('speaker', 'ReduceMean', 'style'), integers: { keepdims: 0 } },
    ],
    metadata: {
      model_type: 'kokoro',
      voice: 'en-us',
      has_espeak: 1,
      style_dim: `${kokoroStyle.lengths},1,${kokoroStyle.numbers}`,
    },
  },
  matcha: {
    inputs: { x: ids, x_length: lengths, noise_scale: number, length_scale: number },
    nodes: [node('ids', 'Identity', 'x'), node('seed', 'Identity', 'noise_scale'), node('speaker', 'Identity', 'zero')],
    metadata: { model_type: 'matcha-tts', voice: 'en-us', has_espeak: 1, use_eos_bos: 1, pad_id: 0 },
  },
}

const matrixSize = 1024

/**
 * Takes time that an optimizer cannot remove: the matrix contains an input of the model, and its sum times 0 is added to the
 * audio.
 */
const workNodes = (work: number) => [
  node('product0', 'Expand', 'seed', 'matrix'),
  ...Array.from({ length: work }, (_, turn) => [
    node(`raw${turn}`, 'MatMul', `product${turn}`, 'product0'),
    node(`product${turn + 1}`, 'Mul', `raw${turn}`, 'little'),
  ]).flat(),
  { ...node('mean', 'ReduceMean', `product${work}`), integers: { keepdims: 0 } },
  node('nothing', 'Mul', 'mean', 'zero'),
]

const symbolsOf = (shape: ToneModelShape) =>
  shape === 'vits' ? { pauses, phonemes } : { pauses: ipaPauses, phonemes: ipaPhonemes }

const toneModel = ({
  shape: kind = 'vits',
  phonemeMs = 50,
  sampleRateHz = 16_000,
  speakers = 1,
  work = 0,
  metadata = {},
}: ToneModelOptions): OnnxModel => {
  const { pauses, phonemes } = symbolsOf(kind)
  const symbols = [...pauses, ...phonemes]
  const isPause = (index: number) => index < pauses.length
  const given = inputsOfShape[kind]
  const radians = symbols.map((_, index) => (isPause(index) ? 0 : (2 * Math.PI * (200 + 40 * index)) / sampleRateHz))
  const metadataEntries: Readonly<Record<string, string | number | undefined>> = {
    language: 'English',
    sample_rate: sampleRateHz,
    n_speakers: speakers,
    add_blank: 0,
    punctuation: pauses.slice(1).join(' '),
    ...given.metadata,
    ...metadata,
  }

  return {
    nodes: [
      ...given.nodes,
      // The pitch of each speaker is 1.5 times that of the one before.
      node('higher', 'Mul', 'speaker', 'half'),
      node('pitch', 'Add', 'higher', 'one'),
      node('tones', 'Gather', 'radians', 'ids'),
      node('pitched', 'Mul', 'tones', 'pitch'),
      node('pitchColumn', 'Reshape', 'pitched', 'column'),
      node('loudness', 'Gather', 'amplitudes', 'ids'),
      node('loudnessColumn', 'Reshape', 'loudness', 'column'),
      node('lengths', 'Mul', 'length_scale', 'phonemeSamples'),
      node('length', 'Squeeze', 'lengths'),
      node('samples', 'Range', 'zero', 'length', 'one'),
      node('sampleRow', 'Reshape', 'samples', 'row'),
      node('phases', 'Mul', 'pitchColumn', 'sampleRow'),
      node('waves', 'Sin', 'phases'),
      node('audible', 'Mul', 'waves', 'loudnessColumn'),
      ...workNodes(work),
      node('made', 'Add', 'audible', 'nothing'),
      node('y', 'Reshape', 'made', 'audio'),
    ],
    constants: {
      radians: float(radians, [symbols.length]),
      amplitudes: float(
        symbols.map((_, index) => (isPause(index) ? 0 : 0.4)),
        [symbols.length],
      ),
      phonemeSamples: float([(phonemeMs * sampleRateHz) / 1000]),
      half: float([0.5]),
      one: float([1]),
      zero: float([0]),
      little: float([1e-3]),
      first: shape(0),
      second: shape(1),
      column: shape(-1, 1),
      row: shape(1, -1),
      audio: shape(1, 1, -1),
      matrix: shape(matrixSize, matrixSize),
    },
    inputs: given.inputs,
    outputs: { y: { type: 'float', shape: ['batch', 1, 'samples'] } },
    metadata: Object.fromEntries(
      Object.entries(metadataEntries).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
    ),
  }
}

/** Passes the spectrum, which is the sound already, unchanged. */
const vocoder = (): OnnxModel => ({
  nodes: [node('audio', 'Identity', 'mel')],
  constants: {},
  inputs: { mel: { type: 'float', shape: ['batch', 1, 'samples'] } },
  outputs: { audio: { type: 'float', shape: ['batch', 1, 'samples'] } },
  metadata: { model_type: 'hifigan' },
})

/** Creates the folder `path` with a model. */
export const writeToneModel = async (path: string, options: ToneModelOptions = {}): Promise<void> => {
  const { shape = 'vits', espeakData, speakers = 1 } = options
  const { pauses, phonemes } = symbolsOf(shape)
  const lines = (all: readonly string[]) => `${all.join('\n')}\n`
  await mkdir(path, { recursive: true })
  const write = (name: string, content: string | Uint8Array) => writeFile(join(path, name), content)
  await write('model.onnx', onnxFile(toneModel(options)))
  await write('tokens.txt', lines([...pauses, ...phonemes].map((symbol, index) => `${symbol} ${index}`)))
  const words = Object.entries(lexicon).map(([word, sounds]) => `${word} ${sounds}`)
  if (shape === 'vits') await write('lexicon.txt', lines(words))
  if (shape === 'matcha') await write('vocoder.onnx', onnxFile(vocoder()))
  if (shape === 'kokoro') {
    const numbers = kokoroStyle.lengths * kokoroStyle.numbers
    const styles = Float32Array.from({ length: speakers * numbers }, (_, index) => Math.floor(index / numbers))
    await write('voices.bin', new Uint8Array(styles.buffer))
  }
  if (espeakData !== undefined) await symlink(espeakData, join(path, 'espeak-ng-data'))
}
