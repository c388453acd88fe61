import { z } from 'zod'
import { sendJson } from '../../http/json-response.js'
import { json, noAuthentication, type Route } from '../route.js'

export const getDashboardDocument: Route = {
  method: 'get',
  path: '/dashboard/api/openapi.json',
  authentication: noAuthentication,
  operationId: 'getDashboardDocument',
  tag: 'Operations',
  summary: 'This document',
  responses: { 200: json('OK', z.record(z.string(), z.unknown())) },
  createHandler: ({ createDashboardDocument }) => {
    // Created by the first request, so that it does not delay the start.
    let bytes: Buffer | undefined
    return (req, res) => {
      bytes ??= Buffer.from(JSON.stringify(createDashboardDocument()))
      sendJson(req, res, bytes, 'public, max-age=300')
    }
  },
}
