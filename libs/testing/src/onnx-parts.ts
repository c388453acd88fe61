import type { OnnxConstant, OnnxNode } from './onnx-writer.js'

/** The parts of hand-written models. */

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
