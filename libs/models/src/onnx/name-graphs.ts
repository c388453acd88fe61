import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire'

/** Numbers of the fields that lead from a model to its graph, and from a graph to the graphs inside its nodes. */
const graphField = 7
const nodeField = 1
const attributeField = 5
const attributeGraphField = 6
const nameField = 2

/** A message in parts, which share the memory of the model. */
type Parts = readonly Uint8Array[]

/** Replaces the values of the fields of a message that have this number and a length. Other fields are kept as they are. */
const mapField = (message: Uint8Array, number: number, change: (value: Uint8Array) => Parts): Parts => {
  const reader = new BinaryReader(message)
  const parts: Uint8Array[] = []
  while (reader.pos < reader.len) {
    const start = reader.pos
    const [field, wireType] = reader.tag()
    if (field === number && wireType === WireType.LengthDelimited) {
      const changed = change(reader.bytes())
      const bytes = changed.reduce((sum, { length }) => sum + length, 0)
      parts.push(new BinaryWriter().tag(field, wireType).uint32(bytes).finish(), ...changed)
    } else {
      reader.skip(wireType, field)
      parts.push(message.subarray(start, reader.pos))
    }
  }
  return parts
}

const name = new BinaryWriter().tag(nameField, WireType.LengthDelimited).string('graph').finish()

/** Of several names a message has the last. */
const nameGraph = (graph: Uint8Array): Parts => [
  ...mapField(graph, nodeField, (node) =>
    mapField(node, attributeField, (attribute) => mapField(attribute, attributeGraphField, nameGraph)),
  ),
  name,
]

/**
 * Gives each graph of an ONNX model a name: that of the model, and those inside its nodes, such as the branches of an `If`. Without
 * names a model is not valid. Returns the model in parts, as it is large. Throws when it is damaged or cut off.
 */
export const nameGraphs = (model: Uint8Array): Parts => mapField(model, graphField, nameGraph)
