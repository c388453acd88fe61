import { guardHeaders } from '../../http/json-response.js'
import { noAuthentication, type Route } from '../route.js'

/** The page of the dashboard that took the place of this address. It needs no account. */
const location = '/try/talk'

/** For people who know the address of the page from before it became one of the dashboard. */
export const redirectTalk: Route = {
  method: 'get',
  path: '/talk',
  authentication: noAuthentication,
  operationId: 'redirectTalk',
  tag: 'Operations',
  summary: 'The address of the page to talk with an Agent, with a key',
  responses: { 302: { description: 'The page is elsewhere.' } },
  errors: ['internal_error'],
  createHandler: () => (req, res) => {
    const headers = ['location', location, 'cache-control', 'no-cache', 'x-request-id', req.id]
    res.writeHead(302, [...headers, ...guardHeaders, 'content-length', '0']).end()
  },
}
