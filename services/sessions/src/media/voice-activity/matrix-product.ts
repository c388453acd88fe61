/// <reference path="./web-assembly.d.ts" />
/**
 * The one thing that a small network spends its time with, in WebAssembly, whose instructions take four numbers at a time: JavaScript's
 * own take one. The program is so short that it is written here as it is, instruction by instruction.
 *
 * - Everything lies in the program's memory; places and distances are in bytes, and places multiples of 16.
 * - Rows are done four at a time, and their numbers eight at a time.
 */
export interface MatrixProduct {
  /** The whole memory. */
  readonly floats: Float32Array
  /**
   * For each column, a vector of `rowBytes` in the input, and each row of the weights: their product, plus the row's bias, but not
   * less than `least`. Columns may lie across each other. `rows` must be a multiple of 4, `rowBytes` of 32.
   */
  multiply(
    ...parameters: [
      ...[output: number, outputDistance: number],
      ...[weights: number, rowBytes: number, bias: number, rows: number],
      ...[input: number, inputDistance: number, columns: number],
      least: number,
    ]
  ): void
}

export const rowsAtOnce = 4
export const floatsAtOnce = 8

const pageBytes = 65_536
const [i32, f32, v128] = [0x7f, 0x7d, 0x7b]

/** The parameters, in their order, then the program's own. */
const [output, outputDistance, weights, rowBytes, bias, rows, input, inputDistance, columns, least] = [
  ...[0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
] as const
const [columnsLeft, place, column, at, end] = [10, 11, 12, 13, 14] as const
const rowsAt = [15, 16, 17, 18] as const
const integersOwn = 9
const sums = [19, 20, 21, 22] as const
const [factor, vectorsOwn] = [23, 5]

const get = (local: number) => [0x20, local]
const set = (local: number) => [0x21, local]
const tee = (local: number) => [0x22, local]
/** Signed, by seven bits. */
const integer = (value: number): number[] =>
  value >= -64 && value < 64 ? [value & 127] : [(value & 127) | 128, ...integer(value >> 7)]
const constant = (value: number) => [0x41, ...integer(value)]
const add = [0x6a]
const subtract = [0x6b]
const multiplyIntegers = [0x6c]
const isLess = [0x49]
const vector = (...instruction: number[]) => [0xfd, ...instruction]
/** Of 16 bytes at a place, and so many further. */
const load = (offset = 0) => vector(0x00, 4, offset)
const store = vector(0x0b, 4, 0)
const zeros = vector(0x0c, ...Array.from({ length: 16 }, () => 0))
const addVectors = vector(0xe4, 0x01)
const multiplyVectors = vector(0xe6, 0x01)
const greater = vector(0xe9, 0x01)
const spread = vector(0x13)
/** Of two vectors' eight numbers those four. */
const pick = (...numbers: number[]) =>
  vector(0x0d, ...numbers.flatMap((number) => [0, 1, 2, 3].map((n) => 4 * number + n)))
const whileTrue = (...body: number[][]) => [0x03, 0x40, ...body.flat(), 0x0d, 0, 0x0b]
const increase = (local: number, by: number[]) => [...get(local), ...by, ...add, ...set(local)]
const countDown = (local: number, by: number) => [...get(local), ...constant(by), ...subtract, ...tee(local)]

/** What two vectors hold, as the halves of one: the halves of each added to each other. */
const halves = (one: number, other: number) => [
  ...[...get(one), ...get(other), ...pick(0, 1, 4, 5)],
  ...[...get(one), ...get(other), ...pick(2, 3, 6, 7)],
  ...addVectors,
]

const body = [
  ...whileTrue(
    [...get(columns), ...set(columnsLeft), ...get(output), ...set(place), ...get(input), ...set(column)],
    whileTrue(
      [...get(weights), ...set(rowsAt[0])],
      ...[1, 2, 3].map((row) => [...get(rowsAt[row - 1]!), ...get(rowBytes), ...add, ...set(rowsAt[row]!)]),
      [...get(column), ...tee(at), ...get(rowBytes), ...add, ...set(end)],
      ...sums.map((sum) => [...zeros, ...set(sum)]),
      whileTrue(
        ...[0, 16].map((offset) => [
          ...[...get(at), ...load(offset), ...set(factor)],
          ...sums.flatMap((sum, row) => [
            ...[...get(sum), ...get(rowsAt[row]!), ...load(offset), ...get(factor), ...multiplyVectors],
            ...[...addVectors, ...set(sum)],
          ]),
        ]),
        ...[at, ...rowsAt].map((local) => increase(local, constant(4 * floatsAtOnce))),
        [...get(at), ...get(end), ...isLess],
      ),
      [...get(place)],
      [...halves(sums[0], sums[1]), ...set(sums[0]), ...halves(sums[2], sums[3]), ...set(sums[1])],
      [...get(sums[0]), ...get(sums[1]), ...pick(0, 2, 4, 6), ...get(sums[0]), ...get(sums[1]), ...pick(1, 3, 5, 7)],
      [...addVectors, ...get(bias), ...load(), ...addVectors, ...get(least), ...spread, ...greater, ...store],
      increase(place, get(outputDistance)),
      increase(column, get(inputDistance)),
      countDown(columnsLeft, 1),
    ),
    increase(weights, [...get(rowBytes), ...constant(rowsAtOnce), ...multiplyIntegers]),
    increase(bias, constant(4 * rowsAtOnce)),
    increase(output, constant(4 * rowsAtOnce)),
    countDown(rows, rowsAtOnce),
  ),
]

/** Not signed, by seven bits. */
const count = (value: number): number[] => (value < 128 ? [value] : [(value & 127) | 128, ...count(value >> 7)])
const sized = (...content: number[]) => [...count(content.length), ...content]
const named = (name: string) => sized(...Buffer.from(name))
const section = (id: number, ...content: number[]) => [id, ...sized(...content)]

const program = (pages: number) => {
  const locals = [2, integersOwn, i32, vectorsOwn, v128]
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, 1, 0x60, ...sized(...Array.from({ length: 9 }, () => i32), f32), 0),
    ...section(3, 1, 0),
    ...section(5, 1, 0, ...count(pages)),
    ...section(7, 2, ...named('memory'), 2, 0, ...named('multiply'), 0, 0),
    ...section(10, 1, ...sized(...locals, ...body, 0x0b)),
  ])
}

/** With room for so many numbers. */
export const createMatrixProduct = (floats: number): MatrixProduct => {
  const module = new WebAssembly.Module(program(Math.ceil((4 * floats) / pageBytes)))
  const { memory, multiply } = new WebAssembly.Instance(module).exports as unknown as {
    readonly memory: { readonly buffer: ArrayBuffer }
    readonly multiply: MatrixProduct['multiply']
  }
  return { floats: new Float32Array(memory.buffer), multiply }
}
