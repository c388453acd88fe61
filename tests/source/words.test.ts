import { sourceFiles } from './source-tree.js'
import { otherSpellings, privateWords, privateWordsIn, type WordUse } from './words.js'

/** Terms of others: ICE gathers candidates, `nobody` is a system's account, and a router shows pages in an outlet. */
const termsOfOthers: readonly (readonly [path: string, word: string])[] = [
  ['web/client/src/webrtc-connection.ts', 'gathered'],
  ['web/dashboard/src/layout/entry-layout.tsx', 'outlet'],
  ['web/dashboard/src/layout/open-layout.tsx', 'outlet'],
  ['web/dashboard/src/layout/signed-in-layout.tsx', 'outlet'],
  ['libs/store/src/postgres-account.ts', 'nobody'],
]

const isTermOfOthers = (use: WordUse): boolean =>
  termsOfOthers.some(([path, word]) => use.path === path && use.word === word)

test("comments, identifiers and test titles use the field's terms", () => {
  const uses = sourceFiles()
    .filter(({ path }) => !path.startsWith('tests/source/'))
    .flatMap(privateWordsIn)
    .filter((use) => !isTermOfOthers(use))
  const listed = uses.map(
    ({ path, line, word }) => `${path}:${line} ${word} → ${privateWords[word] ?? otherSpellings[word] ?? 'max…'}`,
  )
  expect(listed).toEqual([])
})
