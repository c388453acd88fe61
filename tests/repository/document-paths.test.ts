import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { documents, readDocument, root } from '../documents.js'

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

/** Documents that name many files, so that a fault of this test does not pass for documents without any. */
const minPaths: Readonly<Record<string, number>> = { 'README.md': 15, 'CONTRIBUTING.md': 60, 'docs/README.md': 40 }

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

test('every page is in one list of docs/README.md, from which the site makes its navigation', () => {
  const listed = [...readDocument('docs/README.md').matchAll(/^- \[[^\]]+\]\(([^)]+)\)/gm)].map(([, page = '']) => page)
  const pages = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md') && name !== 'README.md')
  expect(listed.toSorted()).toEqual([...pages, 'decisions/README.md'].toSorted())
})
