/** Writes ONNX models: as much of the format as the tiny models of the tests need. */

type Bytes = Buffer

const varint = (value: number | bigint): Bytes => {
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, BigInt(value))
  do {
    const low = Number(rest & 0x7fn)
    rest >>= 7n
    bytes.push(rest === 0n ? low : low | 0x80)
  } while (rest !== 0n)
  return Buffer.from(bytes)
}

const number = (field: number, value: number): Bytes => Buffer.concat([varint(field * 8), varint(value)])

const message = (field: number, ...parts: readonly (Bytes | string)[]): Bytes => {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part as string)))
  return Buffer.concat([varint(field * 8 + 2), varint(content.length), content])
}

const elementTypes = { float: 1, int32: 6, int64: 7, bool: 9 } as const
type ElementType = Exclude<keyof typeof elementTypes, 'bool'>

const arrayOf: Readonly<Record<ElementType, (values: readonly number[]) => { readonly buffer: ArrayBuffer }>> = {
  float: (values) => Float32Array.from(values),
  int32: (values) => Int32Array.from(values),
  int64: (values) => BigInt64Array.from(values.map(BigInt)),
}

/** One operator: its name and the names of its inputs and outputs. */
export interface OnnxNode {
  readonly op: string
  readonly inputs: readonly string[]
  readonly output: string
  readonly integers?: Readonly<Record<string, number>>
}

export interface OnnxConstant {
  readonly type: ElementType
  readonly shape: readonly number[]
  readonly values: readonly number[]
}

/** A name in a shape stands for a length that is known when the model runs. */
export interface OnnxValue {
  readonly type: keyof typeof elementTypes
  readonly shape: readonly (number | string)[]
}

export interface OnnxModel {
  readonly nodes: readonly OnnxNode[]
  readonly constants: Readonly<Record<string, OnnxConstant>>
  readonly inputs: Readonly<Record<string, OnnxValue>>
  readonly outputs: Readonly<Record<string, OnnxValue>>
  readonly metadata: Readonly<Record<string, string | number>>
}

const attributeOfInteger = 2

const nodeBytes = ({ op, inputs, output, integers = {} }: OnnxNode): Bytes =>
  message(
    1,
    ...inputs.map((input) => message(1, input)),
    message(2, output),
    message(4, op),
    ...Object.entries(integers).map(([name, value]) =>
      message(5, message(1, name), number(3, value), number(20, attributeOfInteger)),
    ),
  )

const constantBytes = (name: string, { type, shape, values }: OnnxConstant): Bytes => {
  const raw = Buffer.from(arrayOf[type](values).buffer)
  return message(
    5,
    ...shape.map((length) => number(1, length)),
    number(2, elementTypes[type]),
    message(8, name),
    message(9, raw),
  )
}

const valueBytes = (field: number, name: string, { type, shape }: OnnxValue): Bytes => {
  const lengths = shape.map((length) => message(1, typeof length === 'number' ? number(1, length) : message(2, length)))
  return message(field, message(1, name), message(2, message(1, number(1, elementTypes[type]), message(2, ...lengths))))
}

const formatVersion = 8
const operatorSet = 13

/** The bytes of an ONNX file. */
export const onnxFile = ({ nodes, constants, inputs, outputs, metadata }: OnnxModel): Buffer =>
  Buffer.concat([
    number(1, formatVersion),
    message(
      7,
      ...nodes.map(nodeBytes),
      message(2, 'graph'),
      ...Object.entries(constants).map(([name, constant]) => constantBytes(name, constant)),
      ...Object.entries(inputs).map(([name, value]) => valueBytes(11, name, value)),
      ...Object.entries(outputs).map(([name, value]) => valueBytes(12, name, value)),
    ),
    message(8, number(2, operatorSet)),
    ...Object.entries(metadata).map(([key, value]) => message(14, message(1, key), message(2, String(value)))),
  ])

export const float = (values: readonly number[], shape: readonly number[] = []): OnnxConstant => ({
  type: 'float',
  shape,
  values,
})

/** A list of lengths or indices. */
export const shape = (...lengths: readonly number[]): OnnxConstant => ({
  type: 'int64',
  shape: [lengths.length],
  values: lengths,
})

export const node = (output: string, op: string, ...inputs: readonly string[]): OnnxNode => ({ op, inputs, output })
