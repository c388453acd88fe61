/**
 * The product of matrices, in which a small network spends nearly all of its time. It runs in WebAssembly, whose SIMD
 * instructions multiply four floats at a time.
 */
import { growMemory, openWebAssembly, type WebAssemblyMemory } from '@parlance/audio/encoding'
import { matrixKernelBase64 } from './matrix-kernel.js'

/** Places and distances are counted in bytes from the start of `floats`. Places are multiples of 16. */
export interface MatrixProduct {
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
  }>(matrixKernelBase64)
  growMemory(memory, 4 * size)
  return { floats: new Float32Array(memory.buffer), multiply }
}
