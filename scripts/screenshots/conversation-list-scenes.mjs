// The scenes of the list of conversations.
import { failed, id } from './answers.mjs'
import { pageOf, signedIn } from './record-answers.mjs'
import { conversation, conversations, withList } from './record-scenes.mjs'

/** The first page of a list is there; the next one fails. */
const firstThenFailed = (path, first) => ({
  ...signedIn(),
  [path]: (query) => (query.has('cursor') ? failed : first),
})
const loadOlder = async (page) => {
  await page.getByRole('button', { name: 'Show older conversations' }).click()
  await page.getByRole('alert').scrollIntoViewIfNeeded()
}

export const conversationListScenes = [
  {
    name: 'conversations',
    path: '/conversations',
    answers: withList(pageOf('sessions', conversations, 'next')),
  },
  { name: 'conversations-empty', path: '/conversations', answers: withList(pageOf('sessions', [])) },
  {
    name: 'conversations-no-match',
    path: `/conversations?status=failed&agent=${id(1)}&from=2026-01-01`,
    answers: withList(pageOf('sessions', [])),
  },
  { name: 'conversations-loading', path: '/conversations', answers: withList('pending') },
  { name: 'conversations-failed', path: '/conversations', answers: withList(failed) },
  {
    name: 'conversations-many',
    path: '/conversations',
    answers: withList(
      pageOf(
        'sessions',
        Array.from({ length: 200 }, (_, index) => conversation(index + 1)),
      ),
    ),
  },
  {
    name: 'conversations-nothing-said',
    path: '/conversations?said=umbrella',
    answers: withList(pageOf('sessions', [])),
  },
  {
    name: 'conversations-outdated',
    path: '/conversations?status=ended',
    answers: firstThenFailed('/dashboard/api/agent-sessions', pageOf('sessions', conversations, 'next')),
    act: loadOlder,
  },
]
