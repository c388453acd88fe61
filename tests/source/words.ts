import type { SourceFile } from './source-tree.js'
import { parseSource, visitNodes } from './syntax.js'

/** Words that had a meaning in this repository alone, or that name a person where there is none; and what to write. */
export const privateWords: Readonly<Record<string, string>> = {
  heard: 'received, transcribed or played',
  hears: 'receives or recognizes',
  hearer: 'recognizer',
  told: 'sent or reported',
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

/** Names in the public contract. */
const wireNames = /text_heard/g

const pattern = new RegExp(`(?<![a-z])(?:${Object.keys(privateWords).join('|')})(?![a-z])`, 'gi')

/** `openSeat` → `open Seat`. */
const wordsOf = (identifier: string): string => identifier.replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' ')

const mostConstant = /^most(?=[A-Z])/

export interface WordUse {
  readonly path: string
  readonly line: number
  readonly word: string
}

/** The private words in the comments and the identifiers of a file. */
export const privateWordsIn = (file: SourceFile): WordUse[] => {
  const uses = new Map<string, WordUse>()
  const add = (text: string, line: number): void => {
    for (const [word] of text.replace(wireNames, '').matchAll(pattern)) {
      uses.set(`${line} ${word}`, { path: file.path, line, word: word.toLowerCase() })
    }
  }
  const { program, comments } = parseSource(file)
  for (const { value, loc } of comments ?? []) {
    for (const [index, text] of value.split('\n').entries()) add(text, (loc?.start.line ?? 1) + index)
  }
  visitNodes(program, (node) => {
    if (node.type !== 'Identifier') return
    const line = node.loc?.start.line ?? 1
    if (mostConstant.test(node.name)) uses.set(`${line} most`, { path: file.path, line, word: 'most…' })
    add(wordsOf(node.name), line)
  })
  return [...uses.values()]
}
