import { bytesOfFields, fieldsOf } from './protobuf-field.js'

/** The names of a model's inputs and outputs. */
interface OnnxInterface {
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
}

/** Numbers of the fields of ONNX's messages. */
const modelFields = { graph: 7 }
const graphFields = { node: 1, initializer: 5, input: 11, output: 12 }
const valueFields = { name: 1 }
const nodeFields = { attribute: 5 }
const attributeFields = { tensor: 5, graph: 6 }
const tensorFields = { dimension: 1, type: 2, name: 8, rawData: 9 }
const floatType = 1

const namesIn = (graph: Uint8Array, field: number): string[] =>
  [...bytesOfFields(graph, field)].flatMap((value) =>
    [...bytesOfFields(value, valueFields.name)].map((name) => Buffer.from(name).toString('utf8')),
  )

/** Reads the interface of an ONNX model from the bytes of its file. Throws when the model is damaged or cut off. */
export const readOnnxInterface = (model: Uint8Array): OnnxInterface => {
  const graphs = [...bytesOfFields(model, modelFields.graph)]
  return {
    inputs: graphs.flatMap((graph) => namesIn(graph, graphFields.input)),
    outputs: graphs.flatMap((graph) => namesIn(graph, graphFields.output)),
  }
}

/** A constant of a model: 32-bit floats in row-major order. */
export interface OnnxTensor {
  readonly dimensions: readonly number[]
  readonly values: Float32Array
}

/** The constants of one graph of a model, by name. */
export type OnnxTensors = ReadonlyMap<string, OnnxTensor>

const addTensor = (tensors: Map<string, OnnxTensor>, message: Uint8Array): void => {
  const dimensions: number[] = []
  let name = ''
  let type = 0
  let rawData: Uint8Array | undefined
  for (const field of fieldsOf(message)) {
    if (field.number === tensorFields.dimension) dimensions.push(field.integer)
    if (field.number === tensorFields.type) type = field.integer
    if (field.number === tensorFields.name) name = Buffer.from(field.bytes).toString('utf8')
    if (field.number === tensorFields.rawData) rawData = field.bytes
  }
  if (type !== floatType || name === '' || rawData === undefined) return
  // The copy is aligned for floats. ONNX files are little-endian, as all processors are on which Node.js runs.
  tensors.set(name, { dimensions, values: new Float32Array(Uint8Array.from(rawData).buffer) })
}

/** The tensors of a graph, after those of the graphs inside its nodes. */
function* tensorsOfGraphs(graph: Uint8Array): Generator<OnnxTensors> {
  const tensors = new Map<string, OnnxTensor>()
  for (const initializer of bytesOfFields(graph, graphFields.initializer)) addTensor(tensors, initializer)
  for (const node of bytesOfFields(graph, graphFields.node)) {
    for (const attribute of bytesOfFields(node, nodeFields.attribute)) {
      for (const tensor of bytesOfFields(attribute, attributeFields.tensor)) addTensor(tensors, tensor)
      for (const branch of bytesOfFields(attribute, attributeFields.graph)) yield* tensorsOfGraphs(branch)
    }
  }
  yield tensors
}

/**
 * Reads the named constants of 32-bit floats in an ONNX model: a map for the main graph and for each graph inside it, such
 * as the branches of an `If` node. Constants of other types are left out.
 *
 * Throws when the model is damaged or cut off.
 */
export const readOnnxTensors = (model: Uint8Array): readonly OnnxTensors[] =>
  [...bytesOfFields(model, modelFields.graph)].flatMap((graph) => [...tensorsOfGraphs(graph)])
