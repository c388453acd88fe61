import { float, node, type OnnxModel, type OnnxValue, shape } from '../onnx-writer.js'
import type { ToneModelFiles } from './tone-model-files.js'
import { bands, bandWeights, floats, wordSymbols, words } from './tones.js'

/** The blank is the last symbol, and is not counted in the metadata. */
const symbols = [...wordSymbols, '<blk>']
const blank = words.length
/** Energy above this is a tone. */
const threshold = 0

const hidden = 2
const state: OnnxValue = floats(1, 'N', hidden)
const ids = (...lengths: readonly (number | string)[]): OnnxValue => ({ type: 'int32', shape: lengths })

/** Its features are bands by frames, and so are its results. */
const encoder: OnnxModel = {
  nodes: [
    node('reversed', 'Transpose', 'audio_signal'),
    node('frames', 'Reshape', 'reversed', 'framesOfBands'),
    node('energies', 'MatMul', 'frames', 'bands'),
    node('scores', 'Add', 'energies', 'silence'),
    node('turned', 'Transpose', 'scores'),
    node('outputs', 'Reshape', 'turned', 'bandsOfFrames'),
    node('encoded_lengths', 'Identity', 'length'),
  ],
  constants: {
    framesOfBands: shape(-1, bands),
    bandsOfFrames: shape(1, symbols.length, -1),
    bands: bandWeights({
      symbolCount: symbols.length,
      firstWord: 0,
      range: { scale: 'slaney', lowestHz: 0, highestHz: 7600 },
    }),
    silence: float(
      symbols.map((_, index) => (index === blank ? threshold : 0)),
      [symbols.length],
    ),
  },
  inputs: { audio_signal: floats('N', bands, 'T'), length: { type: 'int64', shape: ['N'] } },
  outputs: { outputs: floats('N', symbols.length, 'T'), encoded_lengths: { type: 'int64', shape: ['N'] } },
  metadata: {
    model_type: 'EncDecRNNTBPEModel',
    comment: 'tones for tests',
    vocab_size: blank,
    subsampling_factor: 1,
    normalize_type: '',
    pred_rnn_layers: 1,
    pred_hidden: hidden,
  },
}

/** The last word is not emitted again: a tone lasts many frames and is one word. */
const decoder: OnnxModel = {
  nodes: [
    node('last', 'Squeeze', 'targets', 'contextAxis'),
    node('repetitions', 'Gather', 'repetition', 'last'),
    node('decoder_outputs', 'Reshape', 'repetitions', 'column'),
    node('prednet_lengths', 'Identity', 'target_length'),
    node('next_h', 'Identity', 'state_h'),
    node('next_c', 'Identity', 'state_c'),
  ],
  constants: {
    contextAxis: shape(1),
    column: shape(1, symbols.length, 1),
    repetition: float(
      symbols.flatMap((_, last) => symbols.map((_, next) => (last === next && next < blank ? -1000 : 0))),
      [symbols.length, symbols.length],
    ),
  },
  inputs: { targets: ids('N', 1), target_length: ids('N'), state_h: state, state_c: state },
  outputs: {
    decoder_outputs: floats('N', symbols.length, 1),
    prednet_lengths: ids('N'),
    next_h: state,
    next_c: state,
  },
  metadata: {},
}

const joiner: OnnxModel = {
  nodes: [node('sum', 'Add', 'encoder_outputs', 'decoder_outputs'), node('logit', 'Reshape', 'sum', 'row')],
  constants: { row: shape(1, 1, 1, symbols.length) },
  inputs: {
    encoder_outputs: floats('N', symbols.length, 1),
    decoder_outputs: floats('N', symbols.length, 1),
  },
  outputs: { logit: floats(1, 1, 1, symbols.length) },
  metadata: {},
}

export const nemoTransducer: ToneModelFiles = {
  models: { 'encoder.onnx': encoder, 'decoder.onnx': decoder, 'joiner.onnx': joiner },
  symbols,
}
