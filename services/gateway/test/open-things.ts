import { randomUUID } from 'node:crypto'
import { parsePeppers } from '@parlance/clients/api-key'
import type { TtlStore } from '@parlance/store'
import { createLogger, createMetrics } from '@parlance/telemetry'
import type { Request, RequestHandler, Response as ServerResponse } from 'express'
import express from 'express'
import { createErrorHandler } from '../src/http/error-response.js'
import { apiHeaders, jsonType } from '../src/http/json-response.js'
import { requestIdFrom } from '../src/http/request-context.js'
import { openHttpServer } from '../src/http/server.js'
import type { ClaimTimes } from '../src/idempotency/claim.js'
import { createIdempotent } from '../src/idempotency/idempotent.js'
import { workspaceId } from './fake-services.js'

/** The secret in the response of `mint`, without its random part. */
export const token = 'awst_thisIsShownOnceAndNeverKeptAnywhere'

export const sendCreated = (req: Request, res: ServerResponse, body: object): void => {
  const json = JSON.stringify(body)
  const headers = apiHeaders(req.id, jsonType, 'no-store')
  res.writeHead(201, [...headers, 'location', '/things/7', 'etag', '"rev-1"', 'x-secret-of-this-answer', '1'])
  res.end(json)
}

/** Creates a new token each time. */
export const mint: RequestHandler = async (req, res) => sendCreated(req, res, { token: token + randomUUID() })

export interface OpenThingsOptions {
  ttl: TtlStore
  /** The work of a request. The number of executions is in `done`. */
  work: RequestHandler
  times?: ClaimTimes
  peppers?: string
}

/** A server with one idempotent route, `POST /things/:id`. The header `x-workspace` names the workspace. */
export const openThings = async ({ ttl, work, times, peppers = '1:a-pepper-for-tests' }: OpenThingsOptions) => {
  const lines: Record<string, unknown>[] = []
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) }
  const logger = createLogger({ name: 'things', destination })
  const idempotent = createIdempotent({ ttl, peppers: parsePeppers(peppers), logger, ...(times && { times }) })
  const app = express()
  app.use((req, _res, next) => {
    req.id = requestIdFrom(req.headers)
    const id = (req.headers['x-workspace'] as string | undefined) ?? workspaceId
    req.principal = { key_id: id, workspace_id: id, capabilities: [], suspended: false }
    next()
  })
  const things = { done: 0 }
  const counted: RequestHandler = (req, res, next) => {
    things.done += 1
    return work(req, res, next)
  }
  app.post('/things/:id', idempotent(counted))
  app.use(createErrorHandler(logger))
  const options = { logger, metrics: createMetrics(), stopWithinMs: 2_000 }
  const server = await openHttpServer(app, { port: 0, host: '127.0.0.1' }, options)

  return Object.assign(things, {
    lines,
    post: (key: string | undefined, body = '{}', { path = '/things/1', headers = {}, ...init }: PostOptions = {}) =>
      fetch(`http://127.0.0.1:${server.port}${path}`, {
        method: 'POST',
        body,
        headers: { ...(key !== undefined && { 'idempotency-key': key }), ...headers },
        ...init,
      }),
    close: () => server.stop(),
  })
}

interface PostOptions {
  path?: string
  headers?: Record<string, string>
  signal?: AbortSignal
}

export type OpenThings = Awaited<ReturnType<typeof openThings>>
