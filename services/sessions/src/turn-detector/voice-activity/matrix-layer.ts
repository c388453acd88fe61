/** A layer of a network as one product of matrices, with its weights among the floats of the product. */
import { floatsAtOnce, type MatrixProduct, rowsAtOnce } from './matrix-product.js'

export const roundUp = (value: number, multiple: number): number => Math.ceil(value / multiple) * multiple

/** Hands out places in the floats of a product, one after the other. Places are indices of floats. */
export interface FloatArena {
  readonly product: MatrixProduct
  reserve(size: number): number
}

export const createFloatArena = (product: MatrixProduct): FloatArena => {
  let taken = 0
  return {
    product,
    reserve(size) {
      const place = taken
      taken += roundUp(size, floatsAtOnce)
      return place
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
export interface LayerInput {
  readonly place: number
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
    4 * input.place,
    4 * input.distance,
    input.columns,
    least,
  )
