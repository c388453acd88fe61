/**
 * The product of matrices, in which a small network spends nearly all of its time. It runs in WebAssembly, whose SIMD
 * instructions multiply four floats at a time.
 */
import { growMemory, openWebAssembly, type WebAssemblyMemory } from '@parlance/audio/encoding'
import { matrixKernelBase64 } from './matrix-kernel.js'

/** Offsets and distances are in bytes from the start of `floats`. Offsets are multiples of 16. */
interface MatrixProduct {
  /** All operands. */
  readonly floats: Float32Array
  /**
   * Writes, for each column and each row, the product of the two plus the bias of the row, but at least `least`. A column is
   * a vector of `rowBytes` in the input; columns may overlap. `rows` is a multiple of `rowsAtOnce`, `rowBytes` one of
   * `4 * floatsAtOnce`.
   */
  multiply(
    output: number,
    outputDistance: number,
    weights: number,
    rowBytes: number,
    bias: number,
    rows: number,
    input: number,
    inputDistance: number,
    columns: number,
    least: number,
  ): void
}

export const rowsAtOnce = 4
export const floatsAtOnce = 8

/** Opens a product whose operands have room for `size` floats, all of them 0. */
export const createMatrixProduct = (size: number): MatrixProduct => {
  const { memory, multiply } = openWebAssembly<{
    readonly memory: WebAssemblyMemory
    readonly multiply: MatrixProduct['multiply']
  }>(Buffer.from(matrixKernelBase64, 'base64'))
  growMemory(memory, 4 * size)
  return { floats: new Float32Array(memory.buffer), multiply }
}

export const roundUp = (value: number, multiple: number): number => Math.ceil(value / multiple) * multiple

export type FloatArena = ReturnType<typeof createFloatArena>

/** Reserves ranges of the floats of a product, one after the other. An offset is the index of a float. */
export const createFloatArena = (product: MatrixProduct) => {
  let taken = 0
  return {
    product,
    reserve(size: number): number {
      const offset = taken
      taken += roundUp(size, floatsAtOnce)
      return offset
    },
  }
}

export interface MatrixLayer {
  readonly weights: number
  readonly bias: number
  /** A multiple of `rowsAtOnce`: rows of zeros fill it up. */
  readonly rows: number
  readonly rowFloats: number
}

/** The columns of the input: `columns` vectors, each `distance` floats after the one before. */
interface LayerInput {
  readonly offset: number
  readonly distance: number
  readonly columns: number
}

/** Allocates the layer and writes its weights and biases. */
export const placeLayer = (
  { product: { floats }, reserve }: FloatArena,
  rows: number,
  rowFloats: number,
  weight: (row: number, at: number) => number,
  bias: (row: number) => number,
): MatrixLayer => {
  const paddedRows = roundUp(rows, rowsAtOnce)
  const weightsAt = reserve(paddedRows * rowFloats)
  const biasAt = reserve(rows)
  for (let row = 0; row < rows; row++) {
    for (let at = 0; at < rowFloats; at++) floats[weightsAt + row * rowFloats + at] = weight(row, at)
    floats[biasAt + row] = bias(row)
  }
  return { weights: weightsAt, bias: biasAt, rows: paddedRows, rowFloats }
}

/** Writes one vector of the layer's rows for each column of the input. Outputs below `least` become `least`. */
export const applyLayer = (
  { multiply }: MatrixProduct,
  { weights, bias, rows, rowFloats }: MatrixLayer,
  input: LayerInput,
  output: number,
  least: number,
): void =>
  multiply(
    4 * output,
    4 * rows,
    4 * weights,
    4 * rowFloats,
    4 * bias,
    rows,
    4 * input.offset,
    4 * input.distance,
    input.columns,
    least,
  )
