import { guardHeaders } from '../../http/json-response.js'
import { noAuthentication, type Route } from '../route.js'

/** A redirect from another address of a page. */
const redirect = (path: string, location: string, operationId: string, summary: string): Route => ({
  method: 'get',
  path,
  authentication: noAuthentication,
  operationId,
  tag: 'Operations',
  summary,
  responses: { 302: { description: 'The page is elsewhere.' } },
  createHandler: () => (req, res) => {
    const headers = ['location', location, 'cache-control', 'no-cache', 'x-request-id', req.id]
    res.writeHead(302, [...headers, ...guardHeaders, 'content-length', '0']).end()
  },
})

export const redirects: readonly Route[] = [
  redirect('/dashboard', '/', 'redirectDashboard', 'The address of the dashboard'),
  redirect('/play', '/try/speech', 'redirectPlay', 'The address of the page to try the voices, with a key'),
  redirect('/talk', '/try/talk', 'redirectTalk', 'The address of the page to talk with an Agent, with a key'),
]
