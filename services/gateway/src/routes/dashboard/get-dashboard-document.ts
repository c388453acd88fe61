import { z } from 'zod'
import { respondWithDocument } from '../../http/json-response.js'
import { json, noAuthentication, type Route } from '../route.js'

export const getDashboardDocument: Route = {
  method: 'get',
  path: '/dashboard/api/openapi.json',
  authentication: noAuthentication,
  operationId: 'getDashboardDocument',
  tag: 'Operations',
  summary: 'This document',
  responses: { 200: json('OK', z.record(z.string(), z.unknown())) },
  createHandler: ({ createDashboardDocument }) => respondWithDocument(createDashboardDocument, 'public, max-age=300'),
}
