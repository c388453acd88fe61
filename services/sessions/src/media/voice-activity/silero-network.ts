/**
 * Silero's network (version 5, 16 kHz): the probability of a voice in a window of 32 ms, given the windows before it.
 *
 * - The layers: the magnitudes of 129 frequencies in four overlapping pieces of the window (STFT), four convolutions that
 *   encode them in one vector, one step of an LSTM, and one output.
 * - Each layer is one product of matrices. The vectors of successive times are contiguous in memory, with zeros at both ends,
 *   so that a convolution reads three neighbours as one vector.
 * - All conversations share one copy of the weights. Fifty copies would evict each other from the processor's cache, which
 *   takes longer than the computation.
 */
import type { OnnxTensor, OnnxTensors } from '@parlance/models'
import { createMatrixProduct, floatsAtOnce, rowsAtOnce } from './matrix-product.js'

/** 32 ms at 16 kHz. */
export const windowSamples = 512

/** The state of the network for one stream of audio. */
export interface SileroState {
  readonly hidden: Float32Array
  readonly cell: Float32Array
  /** The last samples of the window before. */
  readonly context: Float32Array
}

export interface SileroNetwork {
  /** The probability of a voice, from 0 to 1. `window` holds `windowSamples` samples from -1 to 1. Updates `state`. */
  voiceProbability(window: Float32Array, state: SileroState): number
}

const contextSamples = 64
const pieceSamples = 256
const pieceDistance = 128
const pieces = 4
const frequencies = 129
const hiddenSize = 128
/** The lower bounds of the outputs of layers without an activation function and of layers with a ReLU. */
const unbounded = Number.NEGATIVE_INFINITY
const relu = 0

export const createSileroState = (): SileroState => ({
  hidden: new Float32Array(hiddenSize),
  cell: new Float32Array(hiddenSize),
  context: new Float32Array(contextSamples),
})

const roundUp = (value: number, multiple: number): number => Math.ceil(value / multiple) * multiple
const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x))
const tanh = (x: number): number => 2 * sigmoid(2 * x) - 1

/** Places are indices into the floats of the matrix product. */
interface Layer {
  readonly weights: number
  readonly bias: number
  readonly rows: number
  readonly rowFloats: number
}

/** `tensors` are the constants of the model's branch for 16 kHz. Throws when one is missing. */
export const createSileroNetwork = (tensors: OnnxTensors): SileroNetwork => {
  const products = createMatrixProduct(400_000)
  const { floats } = products
  let taken = 0

  const tensor = (name: string): OnnxTensor => {
    const found = tensors.get(name)
    if (found === undefined) throw new Error(`The model has no ${name}: it is not version 5 of Silero's model`)
    return found
  }
  const reserve = (size: number): number => {
    const place = taken
    taken += roundUp(size, floatsAtOnce)
    return place
  }
  const layer = (
    rows: number,
    rowFloats: number,
    weight: (row: number, at: number) => number,
    bias?: OnnxTensor,
  ): Layer => {
    const paddedRows = roundUp(rows, rowsAtOnce)
    const weightsAt = reserve(paddedRows * rowFloats)
    const biasAt = reserve(rows)
    for (let row = 0; row < rows; row++) {
      for (let at = 0; at < rowFloats; at++) floats[weightsAt + row * rowFloats + at] = weight(row, at)
      floats[biasAt + row] = bias?.values[row] ?? 0
    }
    return { weights: weightsAt, bias: biasAt, rows: paddedRows, rowFloats }
  }
  /** Reads three neighbours in time: all channels of the first, then of the second and of the third. */
  const convolution = (name: string, spread: number): Layer => {
    const { dimensions, values } = tensor(`encoder.${name}.reparam_conv.weight`)
    const [rows, channels, taps] = dimensions as [number, number, number]
    const weight = (row: number, at: number): number => {
      const channel = at % spread
      return channel < channels ? (values[(row * channels + channel) * taps + Math.floor(at / spread)] as number) : 0
    }
    return layer(rows, taps * spread, weight, tensor(`encoder.${name}.reparam_conv.bias`))
  }
  const apply = (
    { weights, bias, rows, rowFloats }: Layer,
    input: { readonly place: number; readonly distance: number; readonly columns: number },
    output: number,
    least: number,
  ): void =>
    products.multiply(
      4 * output,
      4 * rows,
      4 * weights,
      4 * rowFloats,
      4 * bias,
      rows,
      4 * input.place,
      4 * input.distance,
      input.columns,
      least,
    )

  const basis = tensor('stft.forward_basis_buffer').values
  const spectrum = layer(2 * frequencies, pieceSamples, (row, at) => basis[row * pieceSamples + at] as number)
  const paddedFrequencies = roundUp(frequencies, floatsAtOnce)
  const encoders = [
    convolution('0', paddedFrequencies),
    convolution('1', 128),
    convolution('2', 64),
    convolution('3', 64),
  ] as const
  const inputWeights = tensor('decoder.rnn.weight_ih').values
  const hiddenWeights = tensor('decoder.rnn.weight_hh').values
  const recurrent = layer(4 * hiddenSize, 2 * hiddenSize, (row, at) =>
    at < hiddenSize
      ? (inputWeights[row * hiddenSize + at] as number)
      : (hiddenWeights[row * hiddenSize + at - hiddenSize] as number),
  )
  const inputBias = tensor('decoder.rnn.bias_ih').values
  const hiddenBias = tensor('decoder.rnn.bias_hh').values
  for (let row = 0; row < 4 * hiddenSize; row++) {
    floats[recurrent.bias + row] = (inputBias[row] as number) + (hiddenBias[row] as number)
  }
  const outputWeights = tensor('decoder.decoder.2.weight').values
  const outputBias = tensor('decoder.decoder.2.bias').values[0] as number

  const audio = reserve(contextSamples + windowSamples + contextSamples)
  const waves = reserve(pieces * spectrum.rows)
  // The inputs of convolutions have one vector of zeros before the first time and one after the last.
  const magnitudes = reserve((pieces + 2) * paddedFrequencies)
  const first = reserve((4 + 2) * 128)
  const second = reserve((2 + 2) * 64)
  const third = reserve((1 + 2) * 64)
  const recurrentInput = reserve(2 * hiddenSize)
  const gates = reserve(4 * hiddenSize)

  /** Writes the window after the end of the window before, and continues it as its mirror image. */
  const setAudio = (window: Float32Array, context: Float32Array): void => {
    floats.set(context, audio)
    floats.set(window, audio + contextSamples)
    const end = audio + contextSamples + windowSamples
    for (let at = 0; at < contextSamples; at++) floats[end + at] = floats[end - 2 - at] as number
    context.set(window.subarray(-contextSamples))
  }

  const computeMagnitudes = (): void => {
    for (let piece = 0; piece < pieces; piece++) {
      const from = waves + piece * spectrum.rows
      const to = magnitudes + (piece + 1) * paddedFrequencies
      for (let frequency = 0; frequency < frequencies; frequency++) {
        const cosine = floats[from + frequency] as number
        const sine = floats[from + frequencies + frequency] as number
        floats[to + frequency] = Math.sqrt(cosine * cosine + sine * sine)
      }
    }
  }

  const updateState = ({ hidden, cell }: SileroState): void => {
    for (let at = 0; at < hiddenSize; at++) {
      const gate = (number: number): number => floats[gates + number * hiddenSize + at] as number
      const kept = sigmoid(gate(1)) * (cell[at] as number) + sigmoid(gate(0)) * tanh(gate(2))
      cell[at] = kept
      hidden[at] = sigmoid(gate(3)) * tanh(kept)
    }
  }

  return {
    voiceProbability(window, state) {
      setAudio(window, state.context)
      apply(spectrum, { place: audio, distance: pieceDistance, columns: pieces }, waves, unbounded)
      computeMagnitudes()
      apply(encoders[0], { place: magnitudes, distance: paddedFrequencies, columns: 4 }, first + 128, relu)
      apply(encoders[1], { place: first, distance: 2 * 128, columns: 2 }, second + 64, relu)
      apply(encoders[2], { place: second, distance: 2 * 64, columns: 1 }, third + 64, relu)
      apply(encoders[3], { place: third, distance: 64, columns: 1 }, recurrentInput, relu)
      floats.set(state.hidden, recurrentInput + hiddenSize)
      apply(recurrent, { place: recurrentInput, distance: 2 * hiddenSize, columns: 1 }, gates, unbounded)
      updateState(state)
      let sum = outputBias
      for (let at = 0; at < hiddenSize; at++) {
        sum += Math.max(0, state.hidden[at] as number) * (outputWeights[at] as number)
      }
      return sigmoid(sum)
    },
  }
}
