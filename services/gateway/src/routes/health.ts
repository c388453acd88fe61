import { ServiceError } from '@parlance/contracts'
import type { Readiness } from '@parlance/runtime'
import type { Metrics } from '@parlance/telemetry'
import type { RequestHandler } from 'express'
import { apiHeaders, sendJson } from '../json-response.js'

/** `GET /healthz`: the process runs. */
export const answerHealth: RequestHandler = (req, res) => {
  sendJson(req, res, '{"status":"ok"}')
}

/** `GET /readyz`: requests will be answered now. */
export const createReadinessHandler =
  (readiness: () => Promise<Readiness>): RequestHandler =>
  async (req, res) => {
    const { ready, checks } = await readiness()
    if (ready) {
      sendJson(req, res, '{"status":"ready"}')
      return
    }
    const missing = Object.keys(checks).filter((name) => !checks[name])
    throw new ServiceError('unavailable', `Not ready: ${missing.join(', ') || 'about to stop'}.`)
  }

/** `GET /metrics`, in the text format of Prometheus. */
export const createMetricsHandler =
  (metrics: Metrics): RequestHandler =>
  async (req, res) => {
    const text = await metrics.text()
    res.writeHead(200, apiHeaders(req.id, metrics.contentType, 'no-store'))
    res.end(text)
  }
