/**
 * Silero's network (version 5, 16 kHz): how likely there is a voice in 32 ms of sound, by what came before.
 *
 * - The strengths of 129 tones in four overlapping pieces of the window; four convolutions, that make of them one vector of what
 *   they are like; one step of an LSTM, that remembers; and one number.
 * - Each layer is one product of matrices. What lies in time lies in memory one after the other, with zeros at both ends,
 *   so that a convolution reads its three neighbours as one vector.
 * - The numbers of the network are in memory once for all conversations: fifty copies would drive each other out of the
 *   processor's cache, which takes longer than the work itself.
 */
import { createMatrixProduct, floatsAtOnce, rowsAtOnce } from './matrix-product.js'
import type { Tensor } from './onnx-tensors.js'

/** 32 ms at 16 kHz. */
export const windowSamples = 512

/** What the network remembers of one voice. */
export interface SileroMemory {
  readonly hidden: Float32Array
  readonly cell: Float32Array
  /** The end of the last window. */
  readonly before: Float32Array
}

export interface SileroNetwork {
  /** `window` is of -1 to 1. Answers from 0 to 1, and changes `memory`. */
  voiceIn(window: Float32Array, memory: SileroMemory): number
}

const beforeSamples = 64
const pieceSamples = 256
const pieceDistance = 128
const pieces = 4
const tones = 129
const hiddenSize = 128
const none = Number.NEGATIVE_INFINITY

export const createSileroMemory = (): SileroMemory => ({
  hidden: new Float32Array(hiddenSize),
  cell: new Float32Array(hiddenSize),
  before: new Float32Array(beforeSamples),
})

const upTo = (value: number, multiple: number): number => Math.ceil(value / multiple) * multiple
const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x))
const tanh = (x: number): number => 2 * sigmoid(2 * x) - 1

/** Places in the memory of the products are counted in floats here. */
interface Layer {
  readonly weights: number
  readonly bias: number
  readonly rows: number
  readonly rowFloats: number
}

/** `tensors` are those of the model's branch for 16 kHz. Throws where one is missing. */
export const createSileroNetwork = (tensors: ReadonlyMap<string, Tensor>): SileroNetwork => {
  const products = createMatrixProduct(400_000)
  const { floats } = products
  let taken = 0

  const tensor = (name: string): Tensor => {
    const found = tensors.get(name)
    if (found === undefined) throw new Error(`The model has no ${name}: it is not Silero's of version 5`)
    return found
  }
  const reserve = (size: number): number => {
    const place = taken
    taken += upTo(size, floatsAtOnce)
    return place
  }
  const layer = (
    rows: number,
    rowFloats: number,
    weight: (row: number, at: number) => number,
    bias?: Tensor,
  ): Layer => {
    const made = { weights: reserve(upTo(rows, rowsAtOnce) * rowFloats), bias: reserve(rows), rows, rowFloats }
    for (let row = 0; row < rows; row++) {
      for (let at = 0; at < rowFloats; at++) floats[made.weights + row * rowFloats + at] = weight(row, at)
      floats[made.bias + row] = bias?.values[row] ?? 0
    }
    return { ...made, rows: upTo(rows, rowsAtOnce) }
  }
  /** Three neighbours in time, all channels of the first before those of the second. */
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
    outputDistance = rows,
  ): void =>
    products.multiply(
      ...[4 * output, 4 * outputDistance, 4 * weights, 4 * rowFloats, 4 * bias, rows],
      ...[4 * input.place, 4 * input.distance, input.columns],
      least,
    )

  const basis = tensor('stft.forward_basis_buffer').values
  const spectrum = layer(2 * tones, pieceSamples, (row, at) => basis[row * pieceSamples + at] as number)
  const tonesSpread = upTo(tones, floatsAtOnce)
  const encoders = [
    convolution('0', tonesSpread),
    convolution('1', 128),
    convolution('2', 64),
    convolution('3', 64),
  ] as const
  const [ofInput, ofHidden] = [tensor('decoder.rnn.weight_ih').values, tensor('decoder.rnn.weight_hh').values]
  const recurrent = layer(4 * hiddenSize, 2 * hiddenSize, (row, at) =>
    at < hiddenSize
      ? (ofInput[row * hiddenSize + at] as number)
      : (ofHidden[row * hiddenSize + at - hiddenSize] as number),
  )
  const [inputBias, hiddenBias] = [tensor('decoder.rnn.bias_ih').values, tensor('decoder.rnn.bias_hh').values]
  for (let row = 0; row < 4 * hiddenSize; row++) {
    floats[recurrent.bias + row] = (inputBias[row] as number) + (hiddenBias[row] as number)
  }
  const last = tensor('decoder.decoder.2.weight').values
  const lastBias = tensor('decoder.decoder.2.bias').values[0] as number

  const sound = reserve(beforeSamples + windowSamples + beforeSamples)
  const waves = reserve(pieces * spectrum.rows)
  // With a place that stays zero before and after what lies in time.
  const strengths = reserve((pieces + 2) * tonesSpread)
  const [first, second, third] = [reserve((4 + 2) * 128), reserve((2 + 2) * 64), reserve((1 + 2) * 64)]
  const seen = reserve(2 * hiddenSize)
  const gates = reserve(4 * hiddenSize)

  const layOut = (window: Float32Array, before: Float32Array): void => {
    floats.set(before, sound)
    floats.set(window, sound + beforeSamples)
    // The sound goes on as its mirror image.
    const end = sound + beforeSamples + windowSamples
    for (let at = 0; at < beforeSamples; at++) floats[end + at] = floats[end - 2 - at] as number
    before.set(window.subarray(-beforeSamples))
  }

  const measureTones = (): void => {
    for (let piece = 0; piece < pieces; piece++) {
      const from = waves + piece * spectrum.rows
      const to = strengths + (piece + 1) * tonesSpread
      for (let tone = 0; tone < tones; tone++) {
        const [cosine, sine] = [floats[from + tone] as number, floats[from + tones + tone] as number]
        floats[to + tone] = Math.sqrt(cosine * cosine + sine * sine)
      }
    }
  }

  const remember = ({ hidden, cell }: SileroMemory): void => {
    for (let at = 0; at < hiddenSize; at++) {
      const gate = (number: number): number => floats[gates + number * hiddenSize + at] as number
      const kept = sigmoid(gate(1)) * (cell[at] as number) + sigmoid(gate(0)) * tanh(gate(2))
      cell[at] = kept
      hidden[at] = sigmoid(gate(3)) * tanh(kept)
    }
  }

  return {
    voiceIn(window, memory) {
      layOut(window, memory.before)
      apply(spectrum, { place: sound, distance: pieceDistance, columns: pieces }, waves, none)
      measureTones()
      apply(encoders[0], { place: strengths, distance: tonesSpread, columns: 4 }, first + 128, 0)
      apply(encoders[1], { place: first, distance: 2 * 128, columns: 2 }, second + 64, 0)
      apply(encoders[2], { place: second, distance: 2 * 64, columns: 1 }, third + 64, 0)
      apply(encoders[3], { place: third, distance: 64, columns: 1 }, seen, 0)
      floats.set(memory.hidden, seen + hiddenSize)
      apply(recurrent, { place: seen, distance: 2 * hiddenSize, columns: 1 }, gates, none)
      remember(memory)
      let sum = lastBias
      for (let at = 0; at < hiddenSize; at++) sum += Math.max(0, memory.hidden[at] as number) * (last[at] as number)
      return sigmoid(sum)
    },
  }
}
