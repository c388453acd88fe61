import { BinaryWriter } from '@bufbuild/protobuf/wire'
import { nameGraphs } from '../../src/onnx/name-graphs.js'
import { bytesOfFields } from '../../src/onnx/protobuf-field.js'

const message = (...fields: readonly (readonly [number: number, value: Uint8Array])[]): Uint8Array =>
  fields.reduce((writer, [number, value]) => writer.tag(number, 2).bytes(value), new BinaryWriter()).finish()
const text = (value: string) => Buffer.from(value)
const only = (bytes: Uint8Array, ...path: readonly number[]): Uint8Array =>
  path.reduce((outer, number) => [...bytesOfFields(outer, number)][0]!, bytes)

test('a graph and the graph inside its node get names, and all else stays', () => {
  const branch = message([1, message([4, text('Add')])])
  const node = message([4, text('If')], [5, message([1, text('then_branch')], [6, branch])])
  const model = message([8, text('opset')], [7, message([1, node], [5, text('weights')])])
  const named = new Uint8Array(Buffer.concat(nameGraphs(model)))

  expect(Buffer.from(only(named, 7, 2)).toString()).not.toBe('')
  expect(Buffer.from(only(named, 7, 1, 5, 6, 2)).toString()).not.toBe('')
  expect(only(named, 8)).toEqual(only(model, 8))
  expect(only(named, 7, 5)).toEqual(only(model, 7, 5))
  expect(only(named, 7, 1, 4)).toEqual(only(model, 7, 1, 4))
  expect(only(named, 7, 1, 5, 1)).toEqual(only(model, 7, 1, 5, 1))
  expect(only(named, 7, 1, 5, 6, 1)).toEqual(only(model, 7, 1, 5, 6, 1))
})

test('a model that was cut off inside its graph is an error', () => {
  const model = message([7, message([1, message([4, text('Add')])])])
  expect(() => nameGraphs(model.subarray(0, model.length - 2))).toThrow()
})
