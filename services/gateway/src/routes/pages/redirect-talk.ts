import type { Route } from '../route.js'
import { redirectTo } from './redirect-to.js'

export const redirectTalk: Route = {
  ...redirectTo('/try/talk'),
  path: '/talk',
  operationId: 'redirectTalk',
  summary: 'The address of the page to talk with an Agent, with a key',
}
