/** Reads the layers of Silero's network from the constants of the model. */
import type { OnnxTensor, OnnxTensors } from '@parlance/models'
import { type FloatArena, type MatrixLayer, placeLayer, roundUp } from './matrix-layer.js'
import { floatsAtOnce } from './matrix-product.js'

/** The window is cut into overlapping pieces, and each is transformed to frequencies. */
export const pieceSamples = 256
export const frequencies = 129
/** The floats of one vector of magnitudes. */
export const paddedFrequencies = roundUp(frequencies, floatsAtOnce)
export const hiddenSize = 128

export interface SileroLayers {
  /** The cosine parts of all frequencies, then the sine parts. */
  readonly spectrum: MatrixLayer
  readonly encoders: readonly [MatrixLayer, MatrixLayer, MatrixLayer, MatrixLayer]
  /** The four gates of the LSTM, from its input followed by its hidden state. */
  readonly recurrent: MatrixLayer
  readonly outputWeights: Float32Array
  readonly outputBias: number
}

const tensorOf = (tensors: OnnxTensors, name: string): OnnxTensor => {
  const found = tensors.get(name)
  if (found === undefined) throw new Error(`The model has no ${name}: it is not version 5 of Silero's model`)
  return found
}

const spectrumLayer = (tensors: OnnxTensors, arena: FloatArena): MatrixLayer => {
  const basis = tensorOf(tensors, 'stft.forward_basis_buffer').values
  const weight = (row: number, at: number): number => basis[row * pieceSamples + at] as number
  return placeLayer(arena, 2 * frequencies, pieceSamples, weight, () => 0)
}

/**
 * Reads three neighbours in time: all channels of the first, then of the second and of the third. `spread` is the floats of one
 * of them.
 */
const convolutionLayer = (tensors: OnnxTensors, arena: FloatArena, name: string, spread: number): MatrixLayer => {
  const { dimensions, values } = tensorOf(tensors, `encoder.${name}.reparam_conv.weight`)
  const biases = tensorOf(tensors, `encoder.${name}.reparam_conv.bias`).values
  const [rows, channels, taps] = dimensions as [number, number, number]
  const weight = (row: number, at: number): number => {
    const channel = at % spread
    return channel < channels ? (values[(row * channels + channel) * taps + Math.floor(at / spread)] as number) : 0
  }
  return placeLayer(arena, rows, taps * spread, weight, (row) => biases[row] ?? 0)
}

const recurrentLayer = (tensors: OnnxTensors, arena: FloatArena): MatrixLayer => {
  const inputWeights = tensorOf(tensors, 'decoder.rnn.weight_ih').values
  const hiddenWeights = tensorOf(tensors, 'decoder.rnn.weight_hh').values
  const inputBias = tensorOf(tensors, 'decoder.rnn.bias_ih').values
  const hiddenBias = tensorOf(tensors, 'decoder.rnn.bias_hh').values
  const weight = (row: number, at: number): number =>
    at < hiddenSize
      ? (inputWeights[row * hiddenSize + at] as number)
      : (hiddenWeights[row * hiddenSize + at - hiddenSize] as number)
  const bias = (row: number): number => (inputBias[row] as number) + (hiddenBias[row] as number)
  return placeLayer(arena, 4 * hiddenSize, 2 * hiddenSize, weight, bias)
}

/** `tensors` are the constants of the model's branch for 16 kHz. Throws when one is missing. */
export const readSileroLayers = (tensors: OnnxTensors, arena: FloatArena): SileroLayers => ({
  spectrum: spectrumLayer(tensors, arena),
  encoders: [
    convolutionLayer(tensors, arena, '0', paddedFrequencies),
    convolutionLayer(tensors, arena, '1', 128),
    convolutionLayer(tensors, arena, '2', 64),
    convolutionLayer(tensors, arena, '3', 64),
  ],
  recurrent: recurrentLayer(tensors, arena),
  outputWeights: tensorOf(tensors, 'decoder.decoder.2.weight').values,
  outputBias: tensorOf(tensors, 'decoder.decoder.2.bias').values[0] as number,
})
