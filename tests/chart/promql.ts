import type { SyntaxNode } from '@lezer/common'
import { parser } from '@prometheus-io/lezer-promql'

/** A metric that a query reads, and the labels by which the query selects its series or distinguishes them. */
export interface ReadMetric {
  readonly metric: string
  readonly labels: readonly string[]
}

const childrenOf = (node: SyntaxNode, ...path: readonly string[]): SyntaxNode[] =>
  path.reduce<SyntaxNode[]>((nodes, name) => nodes.flatMap((one) => one.getChildren(name)), [node])

/** The labels that the operators around a node group and match by. */
const labelsAround = (node: SyntaxNode, text: (node: SyntaxNode) => string): string[] => {
  const { parent } = node
  if (parent === null) return []
  const groups = [
    ...childrenOf(parent, 'AggregateModifier', 'GroupingLabels', 'LabelName'),
    ...childrenOf(parent, 'MatchingModifierClause', 'GroupingLabels', 'LabelName'),
  ]
  return [...groups.map(text), ...labelsAround(parent, text)]
}

/** Returns every metric that a query of PromQL reads. Throws for text that is not PromQL. */
export const readMetrics = (query: string): ReadMetric[] => {
  const text = ({ from, to }: SyntaxNode) => query.slice(from, to)
  const read: ReadMetric[] = []
  parser.parse(query).iterate({
    enter({ node, type }) {
      if (type.isError) throw new Error(`no PromQL at ${node.from}: ${query}`)
      if (type.name !== 'VectorSelector') return
      const [name] = node.getChildren('Identifier')
      if (name === undefined) throw new Error(`a selector without the name of a metric: ${query}`)
      const matched = childrenOf(node, 'LabelMatchers', 'UnquotedLabelMatcher', 'LabelName')
      read.push({ metric: text(name), labels: [...matched.map(text), ...labelsAround(node, text)] })
    },
  })
  return read
}
