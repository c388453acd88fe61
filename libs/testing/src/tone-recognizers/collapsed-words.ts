import { node, type OnnxConstant, type OnnxNode, shape } from '../onnx-writer.js'

/**
 * Nodes from `scores`, frames of [1, T, symbols], to `rows`: one row for each word, without the frames of the blank, which is
 * `blank`, and without repetitions, and the row `ending` at the end.
 */
export const collapsedWords = (scores: string, rows: string): OnnxNode[] => [
  { ...node('best', 'ArgMax', scores), integers: { axis: 2, keepdims: 0 } },
  node('allButLast', 'Slice', 'best', 'fromFirst', 'toLast', 'frameAxis'),
  { ...node('previous', 'Concat', 'blank', 'allButLast'), integers: { axis: 1 } },
  node('repeated', 'Equal', 'best', 'previous'),
  node('changed', 'Not', 'repeated'),
  node('silent', 'Equal', 'best', 'blank'),
  node('sounding', 'Not', 'silent'),
  node('begins', 'And', 'changed', 'sounding'),
  node('beginnings', 'Reshape', 'begins', 'allInOne'),
  { ...node('wordRows', 'Compress', scores, 'beginnings'), integers: { axis: 1 } },
  { ...node(rows, 'Concat', 'wordRows', 'ending'), integers: { axis: 1 } },
]

/** Constants of these nodes. */
export const collapsedConstants = (blank: number): Readonly<Record<string, OnnxConstant>> => ({
  blank: { type: 'int64', shape: [1, 1], values: [blank] },
  fromFirst: shape(0),
  toLast: shape(-1),
  frameAxis: shape(1),
  allInOne: shape(-1),
})
