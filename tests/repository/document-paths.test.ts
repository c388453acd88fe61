import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readDocument, root } from '../documents.js'

const folders = 'services|libs|web|tools|engines|cli|docs|tests|bench|deploy|scripts|examples'
const rootFiles = 'README\\.md|CONTRIBUTING\\.md|NOTICE|package\\.json|tsconfig\\.json|docker-compose\\.yml'
const inText = new RegExp(`(?<![\\w./$-])(?:(?:${folders})(?:/[\\w.*-]+)+/?|${rootFiles})`, 'g')
const inLinks = /\]\((?!https?:|[#/])([^)#]+)/g

/** The folder before a wildcard: `services` for `services/*`. */
const withoutWildcard = (path: string): string => path.replace(/[^/]*\*.*$/, '')

const pathsIn = (text: string): string[] => {
  const links = [...text.matchAll(inLinks)].map(([, path = '']) => path)
  const plain = [...text.matchAll(inText)].map(([path]) => path.replace(/[.,]$/, ''))
  // A build makes `dist`.
  return [...new Set([...links, ...plain])].filter((path) => !path.includes('/dist')).map(withoutWildcard)
}

const documentsIn = (folder: string) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`)

const documents = [
  ...['README.md', 'CONTRIBUTING.md', 'deploy/README.md', 'bench/README.md'],
  ...documentsIn('docs'),
  ...documentsIn('docs/decisions'),
]
/** Documents that name many files, so that a fault of this test does not pass for documents without any. */
const minPaths: Readonly<Record<string, number>> = { 'README.md': 40, 'CONTRIBUTING.md': 40, 'docs/README.md': 25 }

/** The anchor that GitHub gives a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')

const anchorsOf = (text: string): ReadonlySet<string> =>
  new Set([...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading)))

describe.each(documents)('%s', (document) => {
  const text = readDocument(document)
  const folder = dirname(document)

  test('names only paths that exist', () => {
    const paths = pathsIn(text)
    expect(paths.length).toBeGreaterThanOrEqual(minPaths[document] ?? 0)
    const isThere = (path: string) => existsSync(join(root, path)) || existsSync(join(root, folder, path))
    expect(paths.filter((path) => !isThere(path))).toEqual([])
  })

  test('links only to headings that exist', () => {
    const links = [...text.matchAll(/\]\(((?!https?:)[^)#]*)#([^)]+)\)/g)]
    const wrong = links.filter(([, path = '', anchor = '']) => {
      const target = path === '' ? text : readDocument(join(folder, path))
      return !anchorsOf(target).has(anchor)
    })
    expect(wrong.map(([link]) => link)).toEqual([])
  })
})
