import { voiceIdSchema } from '@parlance/contracts'
import { z } from 'zod'
import { principalOf } from '../../authentication/require-key.js'
import { sendTagged } from '../../http/entity-tag.js'
import { apiHeaders } from '../../http/json-response.js'
import { parseRequest } from '../../http/parsed-request.js'
import { withoutIdleLimit } from '../../http/streamed-body.js'
import { audioBytes, exampleVoiceId } from '../../openapi/speech-schemas.js'
import { apiKey, type Route } from '../route.js'

const params = z.object({ voiceId: voiceIdSchema.meta({ example: exampleVoiceId }) })
const query = z.strictObject({
  variant: z.string().min(1).max(64).optional().meta({ description: 'Default: the first variant of the voice.' }),
})
/** Clients may cache it: a preview changes only with the version of an engine. */
const cacheControl = 'private, max-age=86400'
const headers = { etag: z.string(), 'cache-control': z.string() }

export const getVoicePreview: Route = {
  method: 'get',
  path: '/v1/voices/:voiceId/preview',
  authentication: apiKey(),
  operationId: 'voicePreview',
  tag: 'Catalogs',
  summary: 'Get a short sample of a voice',
  description:
    'The `preview_url` of a voice: an MP3 of one sentence in the language of the voice. It is made on the first request, ' +
    'kept for an hour, and costs no credit. With `If-None-Match` the answer may be 304.',
  request: { params, query },
  responses: {
    200: { description: 'The sample.', headers, content: { 'audio/mpeg': audioBytes } },
    304: { description: 'Not modified.', headers },
  },
  errors: ['voice_not_found', 'unsupported_format', 'upstream_error', 'capacity_exhausted', 'draining'],

  createHandler:
    ({ findPreview }) =>
    async (req, res) => {
      const { voiceId } = parseRequest(params, req.params)
      const { variant = null } = parseRequest(query, req.query)
      const workspaceId = principalOf(req).workspace_id
      const order = { voice: voiceId, variant, workspaceId, context: req.context }
      const { mp3, sha256 } = await withoutIdleLimit(req.socket, () => findPreview(order))
      sendTagged(req, res, apiHeaders(req.id, 'audio/mpeg', cacheControl), `"${sha256}"`, mp3)
    },
}
