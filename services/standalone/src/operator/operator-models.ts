/**
 * The models of the installation over the operator's socket:
 *
 * - `GET /operator/models` lists them.
 * - `POST /operator/models` installs one of the catalog, and answers with a line of JSON for each event. A client that
 *   hangs up stops the installation; what was downloaded stays for the next one.
 * - `DELETE /operator/models/<name>` removes one.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { ServiceError } from '@parlance/contracts'
import { z } from 'zod'
import type { ModelInstaller } from '../models/model-installer.js'
import { readJson, sendJson } from './http-body.js'

const path = '/operator/models'

const installRequest = z.strictObject({
  name: z.string().min(1).max(100),
  accept_license: z.boolean().default(false),
  /** Where the files are instead, each under the last segment of its address. */
  mirror: z.url({ protocol: /^https?$/ }).optional(),
})

/** Whether the request is one of those that `answerAboutModels` answers. */
export const isAboutModels = ({ url = '' }: IncomingMessage): boolean => url === path || url.startsWith(`${path}/`)

const parseBody = async (request: IncomingMessage): Promise<z.output<typeof installRequest>> => {
  const parsed = installRequest.safeParse(await readJson(request))
  if (parsed.success) return parsed.data
  const { path: key, message } = parsed.error.issues[0]!
  throw new ServiceError('invalid_request', `${key.join('.') || 'body'}: ${message}`)
}

const install = async (request: IncomingMessage, response: ServerResponse, installer: ModelInstaller) => {
  const { name, accept_license: acceptsLicense, mirror } = await parseBody(request)
  const hungUp = new AbortController()
  response.once('close', () => hungUp.abort())
  await installer.install(
    { name, acceptsLicense, mirror },
    (event) => {
      // The first event is the status: an installation that is refused before has an error instead.
      if (!response.headersSent) {
        response.writeHead(200, { 'content-type': 'application/x-ndjson', connection: 'close' })
      }
      response.write(`${JSON.stringify(event)}\n`)
    },
    hungUp.signal,
  )
  response.end()
}

const nameIn = (url: string): string => {
  try {
    return decodeURIComponent(url.slice(path.length + 1))
  } catch (cause) {
    throw new ServiceError('invalid_request', 'The name is not encoded as in an address.', { cause })
  }
}

/** Answers a request about models. Rejects with `ServiceError`; the response may have begun then. */
export const answerAboutModels = async (
  request: IncomingMessage,
  response: ServerResponse,
  installer: ModelInstaller,
): Promise<void> => {
  const { method, url = '' } = request
  const isOne = url !== path
  if (method === 'GET' && !isOne) return sendJson(response, 200, JSON.stringify({ models: await installer.list() }))
  if (method === 'POST' && !isOne) return install(request, response, installer)
  if (method === 'DELETE' && isOne) {
    const name = nameIn(url)
    await installer.remove(name)
    return sendJson(response, 200, JSON.stringify({ name, removed: true }))
  }
  throw new ServiceError('not_found', 'There is no such call.')
}
