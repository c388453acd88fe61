/**
 * Silero's network (version 5, 16 kHz): the probability of a voice in a window of 32 ms, given the windows before it.
 *
 * - The layers: the magnitudes of 129 frequencies in four overlapping pieces of the window (STFT), four convolutions that
 *   encode them in one vector, one step of an LSTM, and one output.
 * - Each layer is one product of matrices. The vectors of successive times are contiguous in memory, with zeros at both ends,
 *   so that a convolution reads three neighbors as one vector.
 * - All conversations share one copy of the weights. Fifty copies would evict each other from the processor's cache, which
 *   takes longer than the computation.
 */
import type { OnnxTensor, OnnxTensors } from '@parlance/models'
import {
  applyLayer,
  createFloatArena,
  createMatrixProduct,
  type FloatArena,
  floatsAtOnce,
  type MatrixLayer,
  placeLayer,
  roundUp,
} from './matrix-product.js'

/** 32 ms at 16 kHz. */
export const windowSamples = 512

/** The state of the network for one stream of audio. */
interface SileroState {
  readonly hidden: Float32Array
  readonly cell: Float32Array
  /** The last samples of the window before. */
  readonly context: Float32Array
}

const contextSamples = 64
const pieceDistance = 128
const pieces = 4
/** The memory of all layers and vectors. */
const arenaFloats = 400_000
/** The lower bounds of the outputs of layers without an activation function and of layers with a ReLU. */
const unbounded = Number.NEGATIVE_INFINITY
const relu = 0

export const createSileroState = (): SileroState => ({
  hidden: new Float32Array(hiddenSize),
  cell: new Float32Array(hiddenSize),
  context: new Float32Array(contextSamples),
})

const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x))
const tanh = (x: number): number => 2 * sigmoid(2 * x) - 1

/** The offsets of the vectors between the layers. They are reused for every window. */
type Vectors = ReturnType<typeof reserveVectors>

const reserveVectors = ({ reserve }: FloatArena, { spectrum }: SileroLayers) => ({
  audio: reserve(contextSamples + windowSamples + contextSamples),
  waves: reserve(pieces * spectrum.rows),
  // The inputs of convolutions have one vector of zeros before the first time and one after the last.
  magnitudes: reserve((pieces + 2) * paddedFrequencies),
  first: reserve((4 + 2) * 128),
  second: reserve((2 + 2) * 64),
  third: reserve((1 + 2) * 64),
  recurrentInput: reserve(2 * hiddenSize),
  gates: reserve(4 * hiddenSize),
})

/** The inputs of the layers, by layer. */
const inputsOf = ({ audio, magnitudes, first, second, third, recurrentInput }: Vectors) => ({
  spectrum: { offset: audio, distance: pieceDistance, columns: pieces },
  encoders: [
    { offset: magnitudes, distance: paddedFrequencies, columns: 4 },
    { offset: first, distance: 2 * 128, columns: 2 },
    { offset: second, distance: 2 * 64, columns: 1 },
    { offset: third, distance: 64, columns: 1 },
  ] as const,
  recurrent: { offset: recurrentInput, distance: 2 * hiddenSize, columns: 1 },
})

/** Writes the window after the end of the window before, and continues it as its mirror image. */
const setAudio = (floats: Float32Array, audio: number, window: Float32Array, context: Float32Array): void => {
  floats.set(context, audio)
  floats.set(window, audio + contextSamples)
  const end = audio + contextSamples + windowSamples
  for (let at = 0; at < contextSamples; at++) floats[end + at] = floats[end - 2 - at] as number
  context.set(window.subarray(-contextSamples))
}

/** Computes the magnitudes of the pieces. `waves` has one vector of `waveFloats` for each. */
const computeMagnitudes = (floats: Float32Array, waves: number, waveFloats: number, magnitudes: number): void => {
  for (let piece = 0; piece < pieces; piece++) {
    const from = waves + piece * waveFloats
    const to = magnitudes + (piece + 1) * paddedFrequencies
    for (let frequency = 0; frequency < frequencies; frequency++) {
      const cosine = floats[from + frequency] as number
      const sine = floats[from + frequencies + frequency] as number
      floats[to + frequency] = Math.sqrt(cosine * cosine + sine * sine)
    }
  }
}

/** One step of the LSTM. Its gates are, in order: what is added, what is kept, the candidate and the output. */
const updateState = (floats: Float32Array, gates: number, { hidden, cell }: SileroState): void => {
  for (let at = 0; at < hiddenSize; at++) {
    const input = sigmoid(floats[gates + at] as number)
    const kept = sigmoid(floats[gates + hiddenSize + at] as number)
    const candidate = tanh(floats[gates + 2 * hiddenSize + at] as number)
    const output = sigmoid(floats[gates + 3 * hiddenSize + at] as number)
    const next = kept * (cell[at] as number) + input * candidate
    cell[at] = next
    hidden[at] = output * tanh(next)
  }
}

const outputProbability = ({ outputWeights, outputBias }: SileroLayers, hidden: Float32Array): number => {
  let sum = outputBias
  for (let at = 0; at < hiddenSize; at++) {
    sum += Math.max(0, hidden[at] as number) * (outputWeights[at] as number)
  }
  return sigmoid(sum)
}

export type SileroNetwork = ReturnType<typeof createSileroNetwork>

/** `tensors` are the constants of the model's branch for 16 kHz. Throws when one is missing. */
export const createSileroNetwork = (tensors: OnnxTensors) => {
  const product = createMatrixProduct(arenaFloats)
  const { floats } = product
  const arena = createFloatArena(product)
  const layers = readSileroLayers(tensors, arena)
  const { spectrum, encoders, recurrent } = layers
  const vectors = reserveVectors(arena, layers)
  const { audio, waves, magnitudes, first, second, third, recurrentInput, gates } = vectors
  const inputs = inputsOf(vectors)

  return {
    /** The probability of a voice, from 0 to 1. `window` has `windowSamples` samples from -1 to 1. Updates `state`. */
    voiceProbability(window: Float32Array, state: SileroState): number {
      setAudio(floats, audio, window, state.context)
      applyLayer(product, spectrum, inputs.spectrum, waves, unbounded)
      computeMagnitudes(floats, waves, spectrum.rows, magnitudes)
      applyLayer(product, encoders[0], inputs.encoders[0], first + 128, relu)
      applyLayer(product, encoders[1], inputs.encoders[1], second + 64, relu)
      applyLayer(product, encoders[2], inputs.encoders[2], third + 64, relu)
      applyLayer(product, encoders[3], inputs.encoders[3], recurrentInput, relu)
      floats.set(state.hidden, recurrentInput + hiddenSize)
      applyLayer(product, recurrent, inputs.recurrent, gates, unbounded)
      updateState(floats, gates, state)
      return outputProbability(layers, state.hidden)
    },
  }
}

/** The window is cut into overlapping pieces, and each is transformed to frequencies. */
const pieceSamples = 256
const frequencies = 129
/** The floats of one vector of magnitudes. */
const paddedFrequencies = roundUp(frequencies, floatsAtOnce)
const hiddenSize = 128

interface SileroLayers {
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
 * Reads three neighbors in time: all channels of the first, then of the second and of the third. `spread` is the floats of one
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
const readSileroLayers = (tensors: OnnxTensors, arena: FloatArena): SileroLayers => ({
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
