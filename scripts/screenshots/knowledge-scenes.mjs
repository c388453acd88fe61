// The files that an Agent answers from.
import { path as agentPath, withAgent } from './agent-scenes.mjs'
import { at, failed, id, longName, rightToLeft } from './answers.mjs'

const path = `${agentPath}?section=knowledge`
const file = (number, name, more = {}) => ({
  ...{ id: id(700 + number), name, content_type: 'application/pdf', size_bytes: 812_345 * number, status: 'ready' },
  ...{ error: null, passages: 611 * number, created_at: at(number) },
  ...more,
})
const files = [
  file(1, 'manual.pdf', { status: 'indexing', passages: 0 }),
  file(2, `${longName}.pdf`),
  file(3, `${rightToLeft}.txt`),
  file(4, 'scan.pdf', {
    ...{ status: 'failed', passages: 0 },
    error: 'The PDF has no text. Scanned pages are images: recognize their text first.',
  }),
]
const withFiles = (answer) => ({ ...withAgent(), [`/dashboard/api/v1${agentPath}/knowledge`]: answer })
const withAll = withFiles({ body: { files, next_cursor: null } })

export const knowledgeScenes = [
  { name: 'agent-knowledge', path, answers: withAll },
  { name: 'agent-knowledge-empty', path, answers: withFiles({ body: { files: [], next_cursor: null } }) },
  { name: 'agent-knowledge-loading', path, answers: withFiles('pending') },
  { name: 'agent-knowledge-failed', path, answers: withFiles(failed) },
  {
    name: 'agent-knowledge-delete',
    path,
    answers: withAll,
    act: (page) => page.getByRole('button', { name: 'Delete scan.pdf' }).click(),
  },
]
