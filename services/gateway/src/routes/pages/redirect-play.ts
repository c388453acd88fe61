import type { Route } from '../route.js'
import { redirectTo } from './redirect-to.js'

export const redirectPlay: Route = {
  ...redirectTo('/try/speech'),
  path: '/play',
  operationId: 'redirectPlay',
  summary: 'The address of the page to try the voices, with a key',
}
