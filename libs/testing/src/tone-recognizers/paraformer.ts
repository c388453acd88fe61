import { float, node, type OnnxModel } from '../onnx-writer.js'
import { collapsedConstants, collapsedWords } from './collapsed-words.js'
import type { ToneModelFiles } from './tone-model-files.js'
import { bands, bandWeights, floats, words } from './tones.js'

/** Its symbols are words as they are written. */
const symbols = ['<blank>', ...words, '</s>']
const end = symbols.length - 1
const stacked = { frames: 7, shift: 6 }
const stackedBands = stacked.frames * bands
/** Energy above this is a tone: its samples are not between -1 and 1. */
const threshold = 2 * Math.log(32_768)

const model: OnnxModel = {
  nodes: [
    node('energies', 'MatMul', 'speech', 'bands'),
    node('scores', 'Add', 'energies', 'silence'),
    ...collapsedWords('scores', 'logits'),
    node('token_num', 'Identity', 'speech_lengths'),
  ],
  constants: {
    ...collapsedConstants(0),
    bands: bandWeights({
      frames: stacked.frames,
      symbolCount: symbols.length,
      range: { scale: 'kaldi', lowestHz: 20, highestHz: 8000 },
    }),
    silence: float(
      symbols.map((_, index) => (index === 0 ? threshold : index === end ? -1000 : 0)),
      [symbols.length],
    ),
    ending: float(
      symbols.map((_, index) => (index === end ? 1 : 0)),
      [1, 1, symbols.length],
    ),
  },
  inputs: {
    speech: floats('N', 'T', stackedBands),
    speech_lengths: { type: 'int32', shape: ['N'] },
  },
  outputs: { logits: floats('N', 'K', symbols.length), token_num: { type: 'int32', shape: ['N'] } },
  metadata: {
    model_type: 'paraformer',
    comment: 'tones for tests',
    vocab_size: symbols.length,
    lfr_window_size: stacked.frames,
    lfr_window_shift: stacked.shift,
    neg_mean: new Array(stackedBands).fill(0).join(','),
    inv_stddev: new Array(stackedBands).fill(1).join(','),
  },
}

export const paraformer: ToneModelFiles = { models: { 'model.onnx': model }, symbols }
