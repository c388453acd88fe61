import { z } from 'zod'
import { noAuthentication, type Route } from '../route.js'

export const redirectToDocs: Route = {
  method: 'get',
  path: '/',
  authentication: noAuthentication,
  operationId: 'root',
  tag: 'Operations',
  summary: 'Redirect to the reference',
  responses: { 302: { description: 'To `/docs`.', headers: { location: z.string() } } },
  errors: ['internal_error'],

  createHandler: () => (req, res) => {
    res.writeHead(302, ['location', '/docs', 'x-request-id', req.id, 'content-length', '0']).end()
  },
}
