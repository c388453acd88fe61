import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

const folders = 'services|libs|web|engines|cli|docs|tests|bench|deploy|scripts|examples'
const rootFiles = 'README\\.md|CONTRIBUTING\\.md|NOTICE|package\\.json|tsconfig\\.json|docker-compose\\.yml'
const inText = new RegExp(`(?<![\\w./$-])(?:(?:${folders})(?:/[\\w.*-]+)+/?|${rootFiles})`, 'g')
const inLinks = /\]\((?!https?:|#)([^)#]+)/g

/** The folder before a wildcard: `services` for `services/*`. */
const withoutWildcard = (path: string): string => path.replace(/[^/]*\*.*$/, '')

const pathsIn = (text: string): string[] => {
  const links = [...text.matchAll(inLinks)].map(([, path = '']) => path)
  const plain = [...text.matchAll(inText)].map(([path]) => path.replace(/[.,]$/, ''))
  // A build makes `dist`.
  return [...new Set([...links, ...plain])].filter((path) => !path.includes('/dist')).map(withoutWildcard)
}

test.each([
  ['README.md', 40],
  ['CONTRIBUTING.md', 40],
  ['deploy/README.md', 5],
  ['docs/doctor.md', 0],
])('every path in %s exists', (document, minPaths) => {
  const text = readFileSync(join(root, document), 'utf8')
  const folder = dirname(document)
  const paths = pathsIn(text)
  expect(paths.length).toBeGreaterThanOrEqual(minPaths)
  const isThere = (path: string) => existsSync(join(root, path)) || existsSync(join(root, folder, path))
  expect(paths.filter((path) => !isThere(path))).toEqual([])
})
