import { float, node, type OnnxModel, type OnnxValue, shape } from '../onnx-writer.js'
import type { ToneModelFiles } from './tone-model-files.js'
import { type BandRange, bands, bandWeights, floats, wordSymbols, words } from './tones.js'

/** Energy above this is a tone. */
const threshold = 0
const symbols = ['<blk>', ...wordSymbols]
const range: BandRange = { scale: 'kaldi', lowestHz: 20, highestHz: 7600 }

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
    bands: bandWeights({ symbolCount: symbols.length, range }),
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

export const streamingZipformer: ToneModelFiles = {
  models: { 'encoder.onnx': encoder, 'decoder.onnx': decoder, 'joiner.onnx': joiner },
  symbols,
}
