import { createPageRoutes, sharedFiles } from './page.js'

const folder = new URL('../../../assets/talk/', import.meta.url)

const files = ['agents.js', 'level.js', 'session.js', 'talk.css', 'talk.js', 'transcript.js', 'view.js']

export const talk = createPageRoutes({
  path: '/talk',
  operationId: 'talk',
  summary: 'A page to talk with an Agent, with a key',
  folder,
  files: new Map([...sharedFiles, ...files.map((name) => [name, folder] as const)]),
})
