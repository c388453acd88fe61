import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { RequestHandler } from 'express'
import { z } from 'zod'
import { apiHeaders, jsonType, sendBody } from '../../http/json-response.js'
import { createAsyncapiDocument } from '../../openapi/asyncapi.js'
import { json, noAuthentication, type Route } from '../route.js'

/** The document is created at the first request, so that it does not delay the start. It has 0.7 MB, and a tenth of that compressed. */
export const sendDocument = (create: () => object): RequestHandler => {
  let created: Promise<{ plain: Buffer; gzipped: Buffer }> | undefined
  const open = async () => {
    const plain = Buffer.from(JSON.stringify(create()))
    return { plain, gzipped: await promisify(gzip)(plain) }
  }
  return async (req, res) => {
    created ??= open()
    const { plain, gzipped } = await created
    const isGzipped = req.acceptsEncodings('gzip', 'identity') === 'gzip'
    const body = isGzipped ? gzipped : plain
    const headers = [...apiHeaders(req.id, jsonType, 'public, max-age=60'), 'vary', 'accept-encoding']
    if (isGzipped) headers.push('content-encoding', 'gzip')
    sendBody(res, 200, headers, body)
  }
}

/** What describes the API for programs. */
export const apiDocuments: readonly Route[] = [
  {
    method: 'get',
    path: '/v1/openapi.json',
    authentication: noAuthentication,
    operationId: 'openapi',
    tag: 'Operations',
    summary: 'This document',
    responses: { 200: json('OK', z.object({})) },
    createHandler: ({ createOpenapiDocument }) => sendDocument(createOpenapiDocument),
  },
  {
    method: 'get',
    path: '/v1/asyncapi.json',
    authentication: noAuthentication,
    operationId: 'asyncapi',
    tag: 'Operations',
    summary: 'The protocols of WebSockets and data channels, as AsyncAPI 3',
    responses: { 200: json('OK', z.object({})) },
    createHandler: () => sendDocument(createAsyncapiDocument),
  },
]
