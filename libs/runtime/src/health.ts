import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { withTimeout } from '@parlance/async'
import type { Platform, Readiness, RunningService, Service } from './service.js'

/** A check that takes longer counts as failed, so that probes are answered in time. */
const checkWithinMs = 1000

const inTime = async (check: boolean | Promise<boolean>): Promise<boolean> =>
  typeof check === 'boolean' ? check : withTimeout(check, checkWithinMs, () => false).catch(() => false)

/** Checks the adapters and all `services`. A service that is not in `running` yet is not ready. */
export const checkReadiness = async (
  { bus, ttl }: Pick<Platform, 'bus' | 'ttl'>,
  services: readonly Service[],
  running: ReadonlyMap<string, RunningService>,
): Promise<Readiness> => {
  const ofServices = services.map(
    async ({ name }) => [name, await inTime(running.get(name)?.ready() ?? false)] as const,
  )
  const checks = {
    bus: bus.connected(),
    ttl: ttl.connected(),
    ...Object.fromEntries(await Promise.all(ofServices)),
  }
  return { ready: Object.values(checks).every(Boolean), checks }
}

const send = (response: ServerResponse, status: number, contentType: string, body: string) =>
  response.writeHead(status, { 'content-type': contentType, 'cache-control': 'no-store' }).end(body)

const sendJson = (response: ServerResponse, status: number, body: object) =>
  send(response, status, 'application/json', JSON.stringify(body))

interface HealthAddress {
  /** 0 for any free port. */
  port: number
  /** Default: all addresses of the machine. */
  host?: string | undefined
}

/**
 * `/healthz` (the process runs), `/readyz` (it can do its work) and `/metrics`. They have a port of their own because they
 * are for operators: the public API serves none of them.
 */
export const openHealthServer = async (
  { port, host }: HealthAddress,
  { readiness, metrics }: Pick<Platform, 'readiness' | 'metrics'>,
) => {
  const answer = async (path: string | undefined, response: ServerResponse) => {
    switch (path) {
      case '/healthz':
        return sendJson(response, 200, { status: 'ok' })
      case '/readyz': {
        const state = await readiness?.()
        return sendJson(response, state?.ready ? 200 : 503, state ?? { ready: false })
      }
      case '/metrics':
        return send(response, 200, metrics.contentType, await metrics.text())
      default:
        return sendJson(response, 404, { error: 'not found' })
    }
  }
  const server = createServer((request, response) => {
    answer(request.url?.split('?')[0], response).catch(() => sendJson(response, 500, { error: 'internal error' }))
  })
  server.listen({ port, host })
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    async close(): Promise<void> {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
