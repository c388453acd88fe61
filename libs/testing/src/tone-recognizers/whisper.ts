import { float, node, type OnnxModel, type OnnxValue, shape } from '../onnx-writer.js'
import { collapsedConstants, collapsedWords } from './collapsed-words.js'
import type { ToneModelFiles } from './tone-model-files.js'
import { bands, bandWeights, floats, words } from './tones.js'

/** A symbol begins with a space; the special tokens follow, and have no symbol. */
const symbols = words.map((word) => ` ${word}`)
const special = { eot: words.length, sot: words.length + 1, en: words.length + 2, de: words.length + 3 }
const task = { translate: words.length + 4, transcribe: words.length + 5 }
const rest = { noSpeech: words.length + 6, noTimestamps: words.length + 7, blank: words.length + 8 }
const vocabSize = words.length + 9
/** The tokens before the text: the beginning, the language, the task and that there are no times. */
const promptLength = 4

/** A tone has about 1.3 among features that are normalized, and silence at most 0. */
const threshold = 0.6

const cache: OnnxValue = floats(1, 'N', 'C', 'S')

const encoder: OnnxModel = {
  nodes: [
    node('reversed', 'Transpose', 'mel'),
    node('frames', 'Reshape', 'reversed', 'framesOfBands'),
    node('energies', 'MatMul', 'frames', 'bands'),
    node('scores', 'Add', 'energies', 'silence'),
    ...collapsedWords('scores', 'n_layer_cross_k'),
    node('n_layer_cross_v', 'Identity', 'n_layer_cross_k'),
  ],
  constants: {
    ...collapsedConstants(rest.blank),
    framesOfBands: shape(1, -1, bands),
    bands: bandWeights({
      symbolCount: vocabSize,
      firstWord: 0,
      range: { scale: 'slaney', lowestHz: 0, highestHz: 8000 },
    }),
    silence: float(
      Array.from({ length: vocabSize }, (_, index) =>
        index < words.length ? 0 : index === rest.blank ? threshold : -1000,
      ),
      [vocabSize],
    ),
    ending: float(
      Array.from({ length: vocabSize }, (_, index) => (index === special.eot ? 1 : -1000)),
      [1, 1, vocabSize],
    ),
  },
  inputs: { mel: floats('N', bands, 'T') },
  outputs: { n_layer_cross_k: floats('N', 'K', vocabSize), n_layer_cross_v: floats('N', 'K', vocabSize) },
  metadata: {
    model_type: 'whisper-tiny',
    comment: 'tones for tests',
    n_mels: bands,
    n_text_layer: 1,
    n_text_ctx: 64,
    n_text_state: 2,
    n_vocab: vocabSize,
    sot: special.sot,
    sot_sequence: [special.sot, special.en, task.transcribe].join(','),
    eot: special.eot,
    blank_id: rest.blank,
    translate: task.translate,
    transcribe: task.transcribe,
    is_multilingual: 1,
    no_speech: rest.noSpeech,
    no_timestamps: rest.noTimestamps,
    all_language_tokens: [special.en, special.de].join(','),
    all_language_codes: 'en,de',
  },
}

/** Returns the row of the word after the given number of tokens. */
const decoder: OnnxModel = {
  nodes: [
    node('lengths', 'Shape', 'tokens'),
    node('count', 'Gather', 'lengths', 'tokenAxis'),
    node('tokensSoFar', 'Add', 'offset', 'count'),
    node('wanted', 'Sub', 'tokensSoFar', 'prompt'),
    // The library asks for the language with the first token alone, where there is no row.
    node('place', 'Max', 'wanted', 'first'),
    { ...node('logits', 'Gather', 'n_layer_cross_k', 'place'), integers: { axis: 1 } },
    node('out_n_layer_self_k_cache', 'Identity', 'in_n_layer_self_k_cache'),
    node('out_n_layer_self_v_cache', 'Identity', 'in_n_layer_self_v_cache'),
  ],
  constants: { tokenAxis: shape(1), prompt: shape(promptLength), first: shape(0) },
  inputs: {
    tokens: { type: 'int64', shape: ['N', 'L'] },
    in_n_layer_self_k_cache: cache,
    in_n_layer_self_v_cache: cache,
    n_layer_cross_k: floats('N', 'K', vocabSize),
    n_layer_cross_v: floats('N', 'K', vocabSize),
    offset: { type: 'int64', shape: [1] },
  },
  outputs: {
    logits: floats('N', 1, vocabSize),
    out_n_layer_self_k_cache: cache,
    out_n_layer_self_v_cache: cache,
  },
  metadata: {},
}

export const whisper: ToneModelFiles = {
  models: { 'tiny-encoder.onnx': encoder, 'tiny-decoder.onnx': decoder },
  symbols,
  encoded: true,
  tokensName: 'tiny-tokens.txt',
}
