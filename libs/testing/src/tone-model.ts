/**
 * A model folder of a few kilobytes in the shape of VITS: every phoneme is a tone of its own, every pause silence, and
 * each lasts equally long. What a text sounds like, and how long, can be told beforehand.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type OnnxConstant, type OnnxModel, onnxFile } from './onnx-writer.js'

/** Pauses first: the space between words, and the marks that end clauses. */
const pauses = [' ', ',', '.', '!', '?']
const phonemes = ['AA', 'IY', 'UW', 'EH', 'B', 'D', 'S', 'T', 'M', 'L', 'R']

/** The words it can speak. */
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

export interface ToneModelOptions {
  /** How long every phoneme and every pause lasts at speed 1. Default 50. */
  readonly phonemeMs?: number
  readonly sampleRateHz?: number
  readonly speakers?: number
  /** Multiplications of big matrices for each sentence: how long it takes, and nothing else. */
  readonly work?: number
  /** Says something else of itself; undefined leaves the key out. */
  readonly metadata?: Readonly<Record<string, string | number | undefined>>
}

const float = (values: readonly number[], shape: readonly number[] = []): OnnxConstant => ({
  type: 'float',
  shape,
  values,
})
const shape = (...lengths: readonly number[]): OnnxConstant => ({
  type: 'int64',
  shape: [lengths.length],
  values: lengths,
})

const node = (output: string, op: string, ...inputs: readonly string[]) => ({ op, inputs, output })
const toFloat = { to: 1 }

const matrixSize = 1024

/** Takes time that no optimiser can save: the matrix is filled with an input of the model, and its sum, times 0, is heard. */
const workNodes = (work: number) => [
  node('product0', 'Expand', 'noise_scale', 'matrix'),
  ...Array.from({ length: work }, (_, turn) => [
    node(`raw${turn}`, 'MatMul', `product${turn}`, 'product0'),
    node(`product${turn + 1}`, 'Mul', `raw${turn}`, 'little'),
  ]).flat(),
  { ...node('mean', 'ReduceMean', `product${work}`), integers: { keepdims: 0 } },
  node('nothing', 'Mul', 'mean', 'zero'),
]

const toneModel = ({
  phonemeMs = 50,
  sampleRateHz = 16_000,
  speakers = 1,
  work = 0,
  metadata = {},
}: ToneModelOptions): OnnxModel => {
  const symbols = [...pauses, ...phonemes]
  const isPause = (index: number) => index < pauses.length
  const radians = symbols.map((_, index) => (isPause(index) ? 0 : (2 * Math.PI * (200 + 40 * index)) / sampleRateHz))
  const said: Readonly<Record<string, string | number | undefined>> = {
    model_type: 'vits',
    comment: 'tones for tests',
    language: 'English',
    sample_rate: sampleRateHz,
    n_speakers: speakers,
    add_blank: 0,
    punctuation: pauses.slice(1).join(' '),
    ...metadata,
  }

  return {
    nodes: [
      // Each speaker is half as high again as the one before.
      { ...node('speaker', 'Cast', 'sid'), integers: toFloat },
      node('higher', 'Mul', 'speaker', 'half'),
      node('pitch', 'Add', 'higher', 'one'),
      node('tones', 'Gather', 'radians', 'x'),
      node('pitched', 'Mul', 'tones', 'pitch'),
      node('pitchColumn', 'Reshape', 'pitched', 'column'),
      node('loudness', 'Gather', 'amplitudes', 'x'),
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
      column: shape(-1, 1),
      row: shape(1, -1),
      audio: shape(1, 1, -1),
      matrix: shape(matrixSize, matrixSize),
    },
    inputs: {
      x: { type: 'int64', shape: ['batch', 'tokens'] },
      x_length: { type: 'int64', shape: ['batch'] },
      noise_scale: { type: 'float', shape: [1] },
      length_scale: { type: 'float', shape: [1] },
      noise_scale_w: { type: 'float', shape: [1] },
      sid: { type: 'int64', shape: [1] },
    },
    outputs: { y: { type: 'float', shape: ['batch', 1, 'samples'] } },
    metadata: Object.fromEntries(
      Object.entries(said).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
    ),
  }
}

/** Makes the folder `path`, which is not there yet. */
export const writeToneModel = async (path: string, options: ToneModelOptions = {}): Promise<void> => {
  await mkdir(path, { recursive: true })
  const lines = (all: readonly string[]) => `${all.join('\n')}\n`
  await writeFile(join(path, 'model.onnx'), onnxFile(toneModel(options)))
  await writeFile(
    join(path, 'tokens.txt'),
    lines([...pauses, ...phonemes].map((symbol, index) => `${symbol} ${index}`)),
  )
  await writeFile(
    join(path, 'lexicon.txt'),
    lines(Object.entries(lexicon).map(([word, sounds]) => `${word} ${sounds}`)),
  )
}
