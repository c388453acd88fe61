import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** The text of a file of the repository, such as `docs/backup.md`. */
export const readDocument = (path: string): string => readFileSync(join(root, path), 'utf8')

/** What people read: the pages of the documentation, the documents that they lead to, and those of packages. */
export const documents: readonly string[] = [
  ...['README.md', 'CONTRIBUTING.md', 'deploy/README.md', 'deploy/helm/parlance/README.md', 'bench/README.md'],
  ...['cli', 'examples', 'sdks/node', 'sdks/python', 'web/avatar', 'web/client', 'web/dashboard', 'web/react'].map(
    (folder) => `${folder}/README.md`,
  ),
  ...['docs', 'docs/decisions'].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  ),
]

export interface CodeBlock {
  readonly document: string
  /** Empty where the fence names none. */
  readonly language: string
  readonly text: string
  /** Declarations of names that the page has already explained: the comment `<!-- Given: … -->` before the block. */
  readonly given: string
  /** The line of its fence, from 1. */
  readonly line: number
  /** What runs its commands, as the comment before it says: `A test`, `.ci/run`, or a script such as `npm run test:compose`. */
  readonly runBy: string | undefined
}

const fence = /^( *)```([\w-]*)\n([\s\S]*?)^ *```$/gm
const marker = /<!-- (A test|`\.ci\/run`|`npm run test:\w+`) runs these commands\. -->\s*$/
const givenBefore = /<!-- Given: ((?:(?!-->)[\s\S])*) -->\s*$/

/** The fenced blocks of code in a document. Those in lists are indented, which is removed. */
export const codeBlocksOf = (document: string): CodeBlock[] => {
  const page = readDocument(document)
  return [...page.matchAll(fence)].map(({ 1: indent = '', 2: language = '', 3: code = '', index }) => {
    const before = page.slice(0, index)
    return {
      document,
      language,
      text: code.replaceAll(new RegExp(`^${indent}`, 'gm'), '').trim(),
      given: givenBefore.exec(before)?.[1]?.replaceAll('\n', ' ') ?? '',
      line: before.split('\n').length,
      runBy: marker.exec(before)?.[1]?.replaceAll('`', ''),
    }
  })
}

/** The commands of a document that a test runs, by blocks. */
export const testedCommands = (document: string): string[] =>
  codeBlocksOf(document)
    .filter(({ runBy }) => runBy === 'A test')
    .map(({ text }) => text)

/** Blocks that make one file: each but the first uses the names of those before it. */
export interface Program {
  /** Its document and its number there, such as `docs-client-md-0`. */
  readonly name: string
  readonly document: string
  /** That of its first block. */
  readonly line: number
  readonly extension: 'ts' | 'tsx' | 'mjs' | 'py'
  /** Its lines have the numbers that they have in the document. */
  readonly text: string
}

const extensions: Readonly<Record<string, Program['extension']>> = { ts: 'ts', tsx: 'tsx', js: 'mjs', python: 'py' }

/**
 * The programs of a document. A block that imports something begins one, and blocks that import nothing go on with it. All
 * blocks of Python on a page are one program, since Python allows an import anywhere.
 */
export const programsOf = (document: string): Program[] => {
  const programs: Program[] = []
  for (const { language, text, given, line } of codeBlocksOf(document)) {
    const extension = extensions[language]
    if (extension === undefined) continue
    const index = programs.findLastIndex((program) => program.extension === extension)
    const goesOn = index !== -1 && (extension === 'py' || !/^import /m.test(text))
    const before = goesOn ? programs[index]!.text : ''
    const padding = '\n'.repeat(line - before.split('\n').length)
    const whole = `${before}${padding}${given}\n${text}`
    if (goesOn) programs[index] = { ...programs[index]!, text: whole }
    else {
      const name = `${document.replaceAll(/\W/g, '-')}-${programs.length}`
      programs.push({ name, document, line, extension, text: whole })
    }
  }
  return programs
}

/** The suites that run programs of documents. Those of other documents have a comment that says why no test runs them. */
export const suitesOfPrograms: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      ...[
        'docs/avatars.md',
        'docs/client.md',
        'docs/listen.md',
        'docs/push-to-talk.md',
        'docs/react.md',
        'docs/widget.md',
      ],
      ...['docs/server-node.md', 'docs/server-python.md', 'docs/talk-on-a-page.md', 'sdks/node/README.md'],
      ...['sdks/python/README.md', 'web/avatar/README.md', 'web/client/README.md', 'web/react/README.md'],
    ].map((document) => [document, 'tests/examples.test.ts']),
  ),
  // `npm run test:clients` runs these, in a file for each package.
  ...Object.fromEntries(
    ['cartesia', 'clients', 'deepgram', 'elevenlabs', 'openai-realtime'].map((name) => [
      `docs/${name}.md`,
      'scripts/client-tests',
    ]),
  ),
  'docs/stream-speech.md': 'tests/standalone.test.ts',
  'docs/webhooks.md': 'services/webhooks/test/document.test.ts',
}
