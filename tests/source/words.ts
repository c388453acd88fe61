import type { Node } from '@babel/types'
import type { SourceFile } from './source-tree.js'
import { parseSource, visitNodes } from './syntax.js'

/** Words that had a meaning in this repository alone, or that name a person where there is none; and what to write. */
export const privateWords: Readonly<Record<string, string>> = {
  heard: 'received, transcribed or played',
  hears: 'receives or recognizes',
  hearer: 'recognizer',
  told: 'sent or reported',
  tells: 'sends, reports or distinguishes',
  anew: 'again',
  mend: 'fix',
  mends: 'fixes',
  newcomer: 'new client or request',
  newcomers: 'new clients or requests',
  seat: 'permit or slot',
  seats: 'permits or slots',
  passage: 'segment batch',
  passages: 'segment batches',
  outlet: 'writer or outbound queue',
  mailbox: 'reply subscription',
  gathered: 'batched',
  incarnation: 'epoch',
  reign: 'epoch',
  learner: 'extractor',
  playout: 'playback',
  outlasts: 'withTimeout',
  whoever: 'the client, the caller, the worker',
  nobody: 'no client, no caller, no worker',
  somebody: 'a client, a caller, a worker',
  anybody: 'any client, any caller, any worker',
  him: 'the client, the caller, the worker',
  himself: 'the client, the caller, the worker',
}

/** Spellings of which one is used, as in the API; each is the start of a word. */
export const otherSpellings: Readonly<Record<string, string>> = { recognis: 'recogniz' }

/** Names in the public contract, and of a public document. */
const publicNames = /text_heard|warm-recognisers\.md/g

const pattern = new RegExp(
  `(?<![a-z])(?:(?:${Object.keys(privateWords).join('|')})(?![a-z])|(?:${Object.keys(otherSpellings).join('|')}))`,
  'gi',
)

/** `openSeat` → `open Seat`. */
const wordsOf = (identifier: string): string => identifier.replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' ')

const mostConstant = /^most(?=[A-Z])/

export interface WordUse {
  readonly path: string
  readonly line: number
  readonly word: string
}

const testFunctions = new Set(['test', 'it', 'describe'])

/** Whether a callee is `test`, `test.each(…)`, `describe.skip` and so on. */
const isTestFunction = (callee: Node): boolean => {
  switch (callee.type) {
    case 'Identifier':
      return testFunctions.has(callee.name)
    case 'MemberExpression':
      return isTestFunction(callee.object)
    case 'CallExpression':
      return isTestFunction(callee.callee)
    case 'TaggedTemplateExpression':
      return isTestFunction(callee.tag)
    default:
      return false
  }
}

/** The title of a test or of a group of tests; undefined for other nodes. */
const testTitleOf = (node: Node): string | undefined => {
  if (node.type !== 'CallExpression' || !isTestFunction(node.callee)) return undefined
  const [title] = node.arguments
  if (title?.type === 'StringLiteral') return title.value
  return title?.type === 'TemplateLiteral' ? title.quasis.map(({ value }) => value.raw).join(' ') : undefined
}

/** The private words in the comments, the identifiers and the test titles of a file. */
export const privateWordsIn = (file: SourceFile): WordUse[] => {
  const uses = new Map<string, WordUse>()
  const add = (text: string, line: number): void => {
    for (const [word] of text.replace(publicNames, '').matchAll(pattern)) {
      uses.set(`${line} ${word}`, { path: file.path, line, word: word.toLowerCase() })
    }
  }
  const { program, comments } = parseSource(file)
  for (const { value, loc } of comments ?? []) {
    for (const [index, text] of value.split('\n').entries()) add(text, (loc?.start.line ?? 1) + index)
  }
  visitNodes(program, (node) => {
    const title = testTitleOf(node)
    if (title !== undefined) add(title, node.loc?.start.line ?? 1)
    if (node.type !== 'Identifier') return
    const line = node.loc?.start.line ?? 1
    if (mostConstant.test(node.name)) uses.set(`${line} most`, { path: file.path, line, word: 'most…' })
    add(wordsOf(node.name), line)
  })
  return [...uses.values()]
}
