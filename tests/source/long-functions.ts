import type { Node } from '@babel/types'
import type { SourceFile } from './source-tree.js'
import { parseSource, visitNodes } from './syntax.js'

export interface SourceFunction {
  readonly path: string
  /** Undefined for an anonymous function. */
  readonly name: string | undefined
  /** From the line on which it begins to the one on which it ends. */
  readonly lines: number
}

const functionTypes = new Set([
  ...['ArrowFunctionExpression', 'FunctionExpression', 'FunctionDeclaration'],
  ...['ObjectMethod', 'ClassMethod', 'ClassPrivateMethod'],
])

const nameOf = (node: Node, parent: Node | undefined): string | undefined => {
  if ('id' in node && node.id?.type === 'Identifier') return node.id.name
  if ('key' in node && node.key?.type === 'Identifier') return node.key.name
  if (parent?.type === 'VariableDeclarator' && parent.id.type === 'Identifier') return parent.id.name
  return undefined
}

/** The functions of a file with more than `maxLines` lines, nested ones included. */
export const functionsOver = (maxLines: number, file: SourceFile): SourceFunction[] => {
  const found: SourceFunction[] = []
  visitNodes(parseSource(file).program, (node, parent) => {
    if (!functionTypes.has(node.type) || !node.loc) return
    const lines = node.loc.end.line - node.loc.start.line + 1
    if (lines > maxLines) found.push({ path: file.path, name: nameOf(node, parent), lines })
  })
  return found
}
