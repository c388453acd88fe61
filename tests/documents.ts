import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** The text of a file of the repository, such as `docs/backup.md`. */
export const readDocument = (path: string): string => readFileSync(join(root, path), 'utf8')

/** What people read: the pages of the documentation, and the documents that they lead to. */
export const documents: readonly string[] = [
  ...['README.md', 'CONTRIBUTING.md', 'deploy/README.md', 'bench/README.md'],
  ...['docs', 'docs/decisions'].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  ),
]

export interface CodeBlock {
  /** Empty where the fence names none. */
  readonly language: string
  /** Why the block cannot be checked: what follows `no-check:` in the fence. */
  readonly unchecked: string | undefined
  readonly text: string
  /** Declarations of names that the page has already explained: the comment `<!-- Given: … -->` before the block. */
  readonly given: string
  /** The line of its fence, from 1. */
  readonly line: number
  /** Whether a test runs it: the comment before it says so. */
  readonly isRun: boolean
}

const fence = /^( *)```([\w-]*) *(?:no-check: *)?(.*)\n([\s\S]*?)^ *```$/gm
const marker = /<!-- A test runs these commands\. -->\s*$/

const givenBefore = /<!-- Given: ((?:(?!-->)[\s\S])*) -->\s*$/

/** The fenced blocks of code in a document. Those in lists are indented, which is removed. */
export const codeBlocksOf = (text: string): CodeBlock[] =>
  [...text.matchAll(fence)].map(
    ({ 0: found, 1: indent = '', 2: language = '', 3: reason = '', 4: code = '', index }) => ({
      language,
      unchecked: found.split('\n', 1)[0]!.includes('no-check') ? reason.trim() : undefined,
      text: code.replaceAll(new RegExp(`^${indent}`, 'gm'), '').trim(),
      given: givenBefore.exec(text.slice(0, index))?.[1] ?? '',
      line: text.slice(0, index).split('\n').length,
      isRun: marker.test(text.slice(0, index)),
    }),
  )

/** The commands of a document that a test runs, by blocks. */
export const testedCommands = (text: string): string[] =>
  codeBlocksOf(text)
    .filter(({ isRun }) => isRun)
    .map((block) => block.text)
