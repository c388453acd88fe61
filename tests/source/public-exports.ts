import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Node, Statement } from '@babel/types'
import type { SourceFile } from './source-tree.js'
import { parseSource, visitNodes } from './syntax.js'

export interface PublicExport {
  readonly name: string
  /** Of the file that declares it. */
  readonly path: string
  /** A port is an interface with methods. */
  readonly kind: 'function' | 'port' | 'value' | 'type'
  /** The text of its documentation comment; undefined when there is none. */
  readonly docs: string | undefined
  /** Whether a `throw` statement stands in it. */
  readonly throws: boolean
  /** Whether its parameters or its declared result hold bytes or samples. */
  readonly carriesArrays: boolean
}

interface Module {
  readonly path: string
  readonly body: readonly Statement[]
}

/** The exports of the module at `path`, followed through `export … from` into the files that declare them. */
export const publicExports = (files: ReadonlyMap<string, SourceFile>, path: string): PublicExport[] => {
  const file = files.get(path)
  if (file === undefined) throw new Error(`${path} is not a source file`)
  const module: Module = { path, body: parseSource(file).program.body }
  return module.body.flatMap((statement) => exportsOf(files, module, statement))
}

const exportsOf = (files: ReadonlyMap<string, SourceFile>, module: Module, statement: Statement): PublicExport[] => {
  if (statement.type === 'ExportAllDeclaration') return publicExports(files, target(module, statement.source.value))
  if (statement.type !== 'ExportNamedDeclaration') return []
  if (statement.declaration) return declared(module, statement, statement.declaration)
  const names = statement.specifiers.flatMap((specifier) =>
    specifier.type === 'ExportSpecifier' ? [specifier.local.name] : [],
  )
  const source = statement.source?.value
  if (source === undefined || !source.startsWith('.')) return []
  return publicExports(files, target(module, source)).filter(({ name }) => names.includes(name))
}

const target = (module: Module, source: string): string => join(dirname(module.path), source).replace(/\.js$/, '.ts')

const docsOf = (statement: Node): string | undefined =>
  statement.leadingComments?.findLast(({ type, value }) => type === 'CommentBlock' && value.startsWith('*'))?.value

const throwsIn = (node: Node): boolean => {
  let found = false
  visitNodes(node, ({ type }) => {
    found ||= type === 'ThrowStatement'
  })
  return found
}

const arrayTypes = new Set(['Uint8Array', 'Int16Array', 'Float32Array', 'Buffer'])

/** Whether a byte or sample array is named by the types of a function's parameters and result. */
const carriesArrays = (node: Node | null | undefined): boolean => {
  if (!node || !('params' in node) || !Array.isArray(node.params)) return false
  let found = false
  const signature: Node[] = [...node.params]
  if ('returnType' in node && node.returnType) signature.push(node.returnType)
  for (const part of signature) {
    visitNodes(part, (inner) => {
      found ||= inner.type === 'Identifier' && arrayTypes.has(inner.name)
    })
  }
  return found
}

const functionTypes = new Set(['ArrowFunctionExpression', 'FunctionExpression'])

const declared = ({ path }: Module, statement: Statement, declaration: Node): PublicExport[] => {
  const shared = { path, docs: docsOf(statement), throws: throwsIn(declaration), carriesArrays: false }
  switch (declaration.type) {
    case 'VariableDeclaration':
      return declaration.declarations.flatMap(({ id, init }) =>
        id.type === 'Identifier'
          ? [
              {
                ...shared,
                name: id.name,
                kind: init && functionTypes.has(init.type) ? 'function' : 'value',
                carriesArrays: carriesArrays(init),
              },
            ]
          : [],
      )
    case 'FunctionDeclaration':
      return [
        {
          ...shared,
          name: declaration.id?.name ?? 'default',
          kind: 'function',
          carriesArrays: carriesArrays(declaration),
        },
      ]
    case 'ClassDeclaration':
      return [{ ...shared, name: declaration.id?.name ?? 'default', kind: 'value' }]
    case 'TSInterfaceDeclaration': {
      const isPort = declaration.body.body.some(({ type }) => type === 'TSMethodSignature')
      return [{ ...shared, name: declaration.id.name, kind: isPort ? 'port' : 'type' }]
    }
    case 'TSTypeAliasDeclaration':
      return [{ ...shared, name: declaration.id.name, kind: 'type' }]
    default:
      return []
  }
}

/** Paths of the modules that a package exports, e.g. `libs/audio/src/index.ts`. Source: `exports` of its package.json. */
export const entryModules = (root: string, folder: string): string[] => {
  const { exports = {} } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
  return Object.values(exports as Record<string, string | { default?: string; import?: string }>).flatMap((entry) => {
    const file = typeof entry === 'string' ? entry : (entry.default ?? entry.import)
    if (file === undefined || !/^\.\/dist\/.*\.js$/.test(file)) return []
    return [join(folder, file.replace(/^\.\/dist\//, 'src/').replace(/\.js$/, '.ts'))]
  })
}
