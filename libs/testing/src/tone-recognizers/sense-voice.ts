import { float, node, type OnnxModel } from '../onnx-writer.js'
import type { ToneModelFiles } from './tone-model-files.js'
import { type BandRange, bands, bandWeights, floats, wordSymbols } from './tones.js'

const symbols = ['<blk>', ...wordSymbols]
const senseVoiceSymbols = [...symbols, '<|en|>', '<|NEUTRAL|>', '<|Speech|>', '<|woitn|>']
/** The number of frames in one input; the next input begins `shift` frames later. */
const stacked = { frames: 7, shift: 6 }
const stackedBands = stacked.frames * bands
const stackedRange: BandRange = { scale: 'kaldi', lowestHz: 20, highestHz: 8000 }
/** Energy above this is a tone. */
const threshold = 0

/** Its output begins with the language, the emotion, the kind of sound and the format of numbers. */
export const senseVoice: OnnxModel = {
  nodes: [
    node('energies', 'MatMul', 'x', 'bands'),
    node('words', 'Add', 'energies', 'silence'),
    node('logits', 'Concat', 'about', 'words'),
  ].map((one) => (one.op === 'Concat' ? { ...one, integers: { axis: 1 } } : one)),
  constants: {
    bands: bandWeights({ frames: stacked.frames, symbolCount: senseVoiceSymbols.length, range: stackedRange }),
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

export const senseVoiceModel: ToneModelFiles = { models: { 'model.onnx': senseVoice }, symbols: senseVoiceSymbols }
