import { guardHeaders } from '../../http/json-response.js'
import { noAuthentication, type Route } from '../route.js'

/** The common part of routes that redirect from an earlier address of a page. */
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
