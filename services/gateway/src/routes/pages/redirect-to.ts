import { guardHeaders } from '../../http/json-response.js'
import { noAuthentication, type Route } from '../route.js'

/** What all routes have in common that lead to another page. It is for people who know the address from before. */
export const redirectTo = (location: string) =>
  ({
    method: 'get',
    authentication: noAuthentication,
    tag: 'Operations',
    responses: { 302: { description: 'The page is elsewhere.' } },
    errors: ['internal_error'],
    createHandler: () => (req, res) => {
      const headers = ['location', location, 'cache-control', 'no-cache', 'x-request-id', req.id]
      res.writeHead(302, [...headers, ...guardHeaders, 'content-length', '0']).end()
    },
  }) satisfies Partial<Route>
