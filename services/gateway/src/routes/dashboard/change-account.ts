import type { Client } from '@parlance/bus'
import { accountPath, type peopleContract } from '@parlance/contracts'
import type { RequestHandler } from 'express'
import { z } from 'zod'
import { readBody } from '../../http/json-body.js'
import { guardHeaders } from '../../http/json-response.js'
import type { PublicUrl } from '../../http/public-url.js'
import { accountErrors } from '../../openapi/error-codes.js'
import { json, jsonBody, noAuthentication, type Route } from '../route.js'

const returned: ReadonlySet<string> = new Set(['content-type', 'location', 'set-cookie'])

interface ForwardOptions {
  readonly people: Pick<Client<typeof peopleContract>, 'handleAccountRequest'>
  readonly publicUrl: PublicUrl
}

/** Forwards a request to the auth service, and sends its response. */
export const forwardAccountRequest =
  (method: 'GET' | 'POST') =>
  ({ people, publicUrl }: ForwardOptions): RequestHandler =>
  async (req, res) => {
    const headers = Object.entries(req.headers).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    )
    const answer = await people.handleAccountRequest(
      {
        method,
        url: publicUrl(req, req.originalUrl),
        headers: Object.fromEntries(headers),
        ...(method === 'POST' && { body: (await readBody(req)).toString() }),
        client_address: req.ip ?? 'unknown',
      },
      { context: req.context },
    )
    res.writeHead(answer.status, [
      ...answer.headers.filter(([name]) => returned.has(name)).flat(),
      ...['x-request-id', req.id, 'cache-control', 'no-store', ...guardHeaders],
      ...['content-length', String(Buffer.byteLength(answer.body))],
    ])
    res.end(answer.body)
  }

const example = { email: 'ada@example.com', password: 'a long enough password' }

export const changeAccount: Route = {
  method: 'post',
  path: `${accountPath}/*path`,
  authentication: noAuthentication,
  operationId: 'changeAccount',
  tag: 'People',
  summary: 'Sign in or out, change the account, invite or remove members',
  description: 'The path and the body are those of better-auth. Requests from pages of other origins are refused.',
  request: {
    params: z.object({ path: z.string() }),
    body: jsonBody(z.record(z.string(), z.unknown()), { '/sign-in/email': { value: example } }),
  },
  responses: { 200: json('OK', z.unknown()) },
  errors: accountErrors,
  createHandler: forwardAccountRequest('POST'),
}
