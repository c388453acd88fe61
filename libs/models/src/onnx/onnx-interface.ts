import { bytesOfFields } from './protobuf-field.js'

/** The names of a model's inputs and outputs. */
export interface OnnxInterface {
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
}

/** Numbers of the fields of ONNX's messages that lead from a model to the names. */
const graphField = 7
const graphFields = { input: 11, output: 12 }
const nameField = 1

const namesIn = (graph: Uint8Array, field: number): string[] =>
  [...bytesOfFields(graph, field)].flatMap((value) =>
    [...bytesOfFields(value, nameField)].map((name) => Buffer.from(name).toString('utf8')),
  )

/** Reads the interface of an ONNX model from the bytes of its file. Throws when the model is damaged or cut off. */
export const readOnnxInterface = (model: Uint8Array): OnnxInterface => {
  const graphs = [...bytesOfFields(model, graphField)]
  return {
    inputs: graphs.flatMap((graph) => namesIn(graph, graphFields.input)),
    outputs: graphs.flatMap((graph) => namesIn(graph, graphFields.output)),
  }
}
