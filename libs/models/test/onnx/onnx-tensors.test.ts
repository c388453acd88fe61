import { onnxFile } from '@parlance/testing'
import { readOnnxTensors } from '../../src/onnx/onnx-graph.js'

const model = onnxFile({
  nodes: [{ op: 'MatMul', inputs: ['input', 'weights'], output: 'output' }],
  constants: {
    weights: { type: 'float', shape: [2, 3], values: [0.5, -1, 2, 0, 1e-20, 3.25] },
    bias: { type: 'float', shape: [], values: [7] },
    lengths: { type: 'int64', shape: [2], values: [2, 3] },
  },
  inputs: { input: { type: 'float', shape: ['count', 2] } },
  outputs: { output: { type: 'float', shape: ['count', 3] } },
  metadata: { model_type: 'test' },
})

test('the constants of floats are read by name, with their dimensions', () => {
  const graphs = readOnnxTensors(model)
  expect(graphs.map((tensors) => Object.fromEntries(tensors))).toEqual([
    {
      weights: { dimensions: [2, 3], values: Float32Array.from([0.5, -1, 2, 0, 1e-20, 3.25]) },
      bias: { dimensions: [], values: Float32Array.from([7]) },
    },
  ])
})

test('a model that was cut off inside its graph is an error', () => {
  expect(() => readOnnxTensors(model.subarray(0, 40))).toThrow()
})
