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

/** Words in files that are being changed elsewhere; to be replaced with their next change. */
const toBeReplaced: readonly (readonly [path: string, word: string])[] = [
  ['libs/models/src/import/detector-kind.ts', 'recognis'],
  ['services/auth/test/people/members.test.ts', 'newcomer'],
  ['services/auth/test/people/members.test.ts', 'nobody'],
  ['services/auth/test/people/openid-connect.test.ts', 'newcomer'],
  ['services/sessions/src/stt/process-recognizer.ts', 'recognis'],
  ['services/tts/src/scheduler.ts', 'newcomer'],
  ['tests/dashboard-talk.test.ts', 'tells'],
  ['tests/dashboard.test.ts', 'newcomer'],
  ['web/dashboard/src/agents/editor/agent-editor.tsx', 'anew'],
  ['web/dashboard/src/keyed/keyed-page.tsx', 'anew'],
  ['web/dashboard/src/session/current-workspace.ts', 'anew'],
]

const isExempt = (use: WordUse): boolean =>
  [...termsOfOthers, ...toBeReplaced].some(([path, word]) => use.path === path && use.word === word)

test("comments, identifiers and test titles use the field's terms", () => {
  const uses = sourceFiles()
    .filter(({ path }) => !path.startsWith('tests/source/'))
    .flatMap(privateWordsIn)
    .filter((use) => !isExempt(use))
  const listed = uses.map(
    ({ path, line, word }) => `${path}:${line} ${word} → ${privateWords[word] ?? otherSpellings[word] ?? 'max…'}`,
  )
  expect(listed).toEqual([])
})
