/**
 * The numbers that a model in the ONNX format is made of, by their names. What is done with them the file says as well, but
 * whoever asks knows it: only the few kinds of fields of protocol buffers that lead to tensors are read.
 */
export interface Tensor {
  readonly dimensions: readonly number[]
  readonly values: Float32Array
}

interface Field {
  readonly number: number
  /** Of fields with a length; empty for the others. */
  readonly bytes: Uint8Array
  readonly integer: number
}

/** The numbers of the fields in which a graph hangs below a graph, down to its tensors. */
const inModel = { graph: 7 }
const inGraph = { node: 1 }
const inNode = { attribute: 5 }
const inAttribute = { tensor: 5, graph: 6 }
const inTensor = { dimension: 1, type: 2, name: 8, data: 9 }
const float = 1

function* fieldsOf(bytes: Uint8Array): Generator<Field> {
  let at = 0
  const varint = (): number => {
    for (let value = 0, factor = 1; ; factor *= 128) {
      const byte = bytes[at++]
      if (byte === undefined) throw new Error('The model ends in its midst')
      value += (byte & 127) * factor
      if (byte < 128) return value
    }
  }
  const take = (length: number): Uint8Array => {
    at += length
    return bytes.subarray(at - length, at)
  }
  while (at < bytes.length) {
    const key = varint()
    const [number, kind] = [Math.floor(key / 8), key % 8]
    if (kind === 0) yield { number, bytes: new Uint8Array(0), integer: varint() }
    else yield { number, bytes: take(kind === 1 ? 8 : kind === 5 ? 4 : varint()), integer: 0 }
  }
}

function* below(bytes: Uint8Array, wanted: number): Generator<Uint8Array> {
  for (const field of fieldsOf(bytes)) if (field.number === wanted) yield field.bytes
}

const readTensor = (bytes: Uint8Array): readonly [name: string, tensor: Tensor] | undefined => {
  const dimensions: number[] = []
  let name = ''
  let type = 0
  let data: Uint8Array | undefined
  for (const field of fieldsOf(bytes)) {
    if (field.number === inTensor.dimension) dimensions.push(field.integer)
    if (field.number === inTensor.type) type = field.integer
    if (field.number === inTensor.name) name = Buffer.from(field.bytes).toString()
    if (field.number === inTensor.data) data = field.bytes
  }
  if (type !== float || name === '' || data === undefined) return undefined
  // A copy, which begins where floats may; the file has them as the processor does, the lowest byte first.
  const values = new Float32Array(Uint8Array.from(data).buffer)
  return [name, { dimensions, values }]
}

function* graphsIn(graph: Uint8Array): Generator<Map<string, Tensor>> {
  const tensors = new Map<string, Tensor>()
  for (const node of below(graph, inGraph.node)) {
    for (const attribute of below(node, inNode.attribute)) {
      for (const tensor of below(attribute, inAttribute.tensor)) {
        const read = readTensor(tensor)
        if (read !== undefined) tensors.set(...read)
      }
      for (const branch of below(attribute, inAttribute.graph)) yield* graphsIn(branch)
    }
  }
  yield tensors
}

/** The named tensors of 32-bit floats that stand as constants in the graph and in each of its branches. */
export const readOnnxTensors = (model: Uint8Array): readonly ReadonlyMap<string, Tensor>[] =>
  [...below(model, inModel.graph)].flatMap((graph) => [...graphsIn(graph)])
