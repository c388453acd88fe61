import { z } from 'zod'
import { sendDocument } from '../pages/api-documents.js'
import { json, noAuthentication, type Route } from '../route.js'

/** The API of the dashboard. */
export const getDashboardDocument: Route = {
  method: 'get',
  path: '/dashboard/api/openapi.json',
  authentication: noAuthentication,
  operationId: 'getDashboardDocument',
  tag: 'Operations',
  summary: 'This document',
  responses: { 200: json('OK', z.record(z.string(), z.unknown())) },
  createHandler: ({ createDashboardDocument }) => sendDocument(createDashboardDocument),
}
