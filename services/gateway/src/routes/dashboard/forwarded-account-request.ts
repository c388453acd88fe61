import type { Client } from '@parlance/bus'
import type { peopleContract } from '@parlance/contracts'
import type { RequestHandler } from 'express'
import { readBody } from '../../http/json-body.js'
import { guardHeaders } from '../../http/json-response.js'
import type { PublicUrl } from '../../http/public-url.js'

const returned: ReadonlySet<string> = new Set(['content-type', 'location', 'set-cookie'])

export interface ForwardOptions {
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
