import { type ParserPlugin, parse } from '@babel/parser'
import type { File, Node } from '@babel/types'
import type { SourceFile } from './source-tree.js'

const pluginsFor = (path: string): ParserPlugin[] => {
  if (path.endsWith('.tsx')) return ['typescript', 'jsx']
  return path.endsWith('.ts') ? ['typescript'] : ['jsx']
}

/** Throws `SyntaxError` for a file that cannot be parsed. */
export const parseSource = ({ path, text }: SourceFile): File =>
  parse(text, { sourceType: 'unambiguous', plugins: pluginsFor(path) })

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

/** Calls `visit` with each node and its parent, parents first. */
export const visitNodes = (node: Node, visit: (node: Node, parent?: Node) => void, parent?: Node): void => {
  visit(node, parent)
  for (const [key, value] of Object.entries(node)) {
    if (key.endsWith('Comments')) continue
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) visitNodes(child, visit, node)
    }
  }
}
