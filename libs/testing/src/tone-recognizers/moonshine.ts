import { float, node, type OnnxModel, type OnnxNode, type OnnxValue, shape } from '../onnx-writer.js'
import { collapsedConstants, collapsedWords } from './collapsed-words.js'
import type { ToneModelFiles } from './tone-model-files.js'
import { floats, hzOfWord, sampleRateHz, words } from './tones.js'

/** The numbers of the beginning and the end are fixed. */
const symbols = ['<unk>', '<s>', '</s>', ...words.map((word) => `▁${word}`)]
const blank = 0
const end = 2
const symbolCount = symbols.length
const firstWord = 3
/** The energy of half a tone in a window. Moonshine reads samples and not features. */
const windowSamples = 320
const threshold = (windowSamples * 0.05) ** 2

/** Each word is found by the two waves of its tone. */
const waves = float(
  words.flatMap((word) =>
    [Math.sin, Math.cos].flatMap((wave) =>
      Array.from({ length: windowSamples }, (_, at) => wave((2 * Math.PI * hzOfWord[word] * at) / sampleRateHz)),
    ),
  ),
  [2 * words.length, 1, windowSamples],
)
const energyOfWaves = float(
  Array.from({ length: 2 * words.length }, (_, wave) =>
    Array.from({ length: symbolCount }, (_, symbol) => (symbol === firstWord + (wave >> 1) ? 1 : 0)),
  ).flat(),
  [2 * words.length, symbolCount],
)

const soundNodes = (audio: string, output: string): OnnxNode[] => [
  node('sound', 'Reshape', audio, 'oneChannel'),
  node('parts', 'Conv', 'sound', 'waves'),
  node('squares', 'Mul', 'parts', 'parts'),
  node('turned', 'Transpose', 'squares'),
  node('frames', 'Reshape', 'turned', 'framesOfWaves'),
  node('energies', 'MatMul', 'frames', 'energyOfWaves'),
  node(output, 'Add', 'energies', 'silence'),
]
const soundConstants = {
  oneChannel: shape(1, 1, -1),
  framesOfWaves: shape(1, -1, 2 * words.length),
  waves,
  energyOfWaves,
  silence: float(
    symbols.map((_, index) => (index === blank ? threshold : index < firstWord ? -1 : 0)),
    [symbolCount],
  ),
}
const textConstants = {
  ...collapsedConstants(blank),
  ending: float(
    symbols.map((_, index) => (index === end ? 1 : 0)),
    [1, 1, symbolCount],
  ),
}
const scores = floats('N', 'T', symbolCount)
const logits = floats('N', 1, symbolCount)
const state: OnnxValue = floats('N', 1, 'P', 1)
const ids = (type: 'int32' | 'int64'): OnnxValue => ({ type, shape: ['N', 1] })
const length: OnnxValue = { type: 'int32', shape: [1] }

const preprocess: OnnxModel = {
  nodes: soundNodes('audio', 'features'),
  constants: soundConstants,
  inputs: { audio: floats(1, 'A') },
  outputs: { features: scores },
  metadata: {},
}

const encode: OnnxModel = {
  nodes: [node('encoded', 'Identity', 'features')],
  constants: {},
  inputs: { features: scores, features_length: length },
  outputs: { encoded: scores },
  metadata: {},
}

/** Returns the row of the word after the given number of tokens. */
const divided = (states: Readonly<Record<string, string>>): OnnxModel => ({
  nodes: [
    ...collapsedWords('encoded', 'rows'),
    node('place', 'Sub', 'token_length', 'one'),
    { ...node('logits', 'Gather', 'rows', 'place'), integers: { axis: 1 } },
    ...Object.entries(states).map(([output, input]) => node(output, 'Identity', input)),
  ],
  constants: {
    ...textConstants,
    one: { type: 'int32', shape: [1], values: [1] },
    empty: float([0], [1, 1, 1, 1]),
  },
  inputs: {
    tokens: ids('int32'),
    encoded: scores,
    token_length: length,
    ...Object.fromEntries(Object.values(states).flatMap((input) => (input === 'empty' ? [] : [[input, state]]))),
  },
  outputs: { logits, ...Object.fromEntries(Object.keys(states).map((output) => [output, state])) },
  metadata: {},
})

export const moonshine: ToneModelFiles = {
  models: {
    'preprocess.onnx': preprocess,
    'encode.onnx': encode,
    'uncached_decode.onnx': divided({ first_state: 'empty' }),
    'cached_decode.onnx': divided({ next_state: 'state' }),
  },
  symbols,
}

const past = ['decoder.key', 'decoder.value', 'encoder.key', 'encoder.value']

/** Its decoder counts the tokens by the length of its states. */
const mergedDecoder: OnnxModel = {
  nodes: [
    ...collapsedWords('encoder_hidden_states', 'rows'),
    node('stateLengths', 'Shape', 'past_key_values.0.decoder.key'),
    node('place', 'Gather', 'stateLengths', 'lengthAxis'),
    { ...node('logits', 'Gather', 'rows', 'place'), integers: { axis: 1 } },
    ...past.map((name) =>
      name.startsWith('decoder')
        ? { ...node(`present.0.${name}`, 'Concat', `past_key_values.0.${name}`, 'column'), integers: { axis: 2 } }
        : node(`present.0.${name}`, 'Identity', 'columns'),
    ),
  ],
  constants: {
    ...textConstants,
    lengthAxis: shape(2),
    column: float([0], [1, 1, 1, 1]),
    columns: float([0, 0], [1, 1, 2, 1]),
  },
  inputs: {
    input_ids: ids('int64'),
    encoder_hidden_states: scores,
    ...Object.fromEntries(past.map((name) => [`past_key_values.0.${name}`, state])),
    use_cache_branch: { type: 'bool', shape: [1] },
  },
  outputs: { logits, ...Object.fromEntries(past.map((name) => [`present.0.${name}`, state])) },
  metadata: {},
}

export const mergedMoonshine: ToneModelFiles = {
  models: {
    'encoder_model.onnx': {
      nodes: soundNodes('input_values', 'last_hidden_state'),
      constants: soundConstants,
      inputs: { input_values: floats('N', 'A') },
      outputs: { last_hidden_state: scores },
      metadata: {},
    },
    'decoder_model_merged.onnx': mergedDecoder,
  },
  symbols,
  encoded: true,
}
