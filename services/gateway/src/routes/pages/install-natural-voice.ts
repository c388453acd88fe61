import { installEventSchema, ServiceError, type VoiceInstaller } from '@parlance/contracts'
import type { RequestHandler } from 'express'
import { z } from 'zod'
import { principalOf } from '../../authentication/require-key.js'
import { respondToInstall } from '../../http/install-response.js'
import { readJsonBody } from '../../http/json-body.js'
import { parseRequest } from '../../http/parsed-request.js'
import { checkLocalRequest } from '../../natural-voice/local-request.js'
import { jsonBody } from '../../openapi/content.js'
import { bodyErrors, readErrors } from '../../openapi/error-codes.js'
import { apiKey, type Route } from '../route.js'

const body = z.strictObject({
  name: z.string().min(1).max(100),
  /** The user has accepted the licences of the voice. */
  accept_license: z.literal(true),
})

const notHere = () => new ServiceError('not_found', 'This installation gets its voices by npx parlance models install.')

const createInstall =
  (installer: VoiceInstaller): RequestHandler =>
  async (req, res) => {
    checkLocalRequest(req)
    if (principalOf(req).workspace_id !== (await installer.findWorkspaceId())) {
      throw new ServiceError('forbidden_role', 'Only a key of the workspace that npm start made can install voices.')
    }
    const { name } = parseRequest(body, await readJsonBody(req))
    await respondToInstall(req, res, (onEvent, signal) => installer.install(name, onEvent, signal))
  }

/** Installs a voice for the page on which people try voices, as `POST /operator/models` does for the operator. */
export const installNaturalVoice: Route = {
  method: 'post',
  path: '/try/natural-voice',
  authentication: apiKey('tts'),
  isUndocumented: true,
  operationId: 'installNaturalVoice',
  tag: 'Operations',
  summary: 'Install a natural voice',
  request: { body: jsonBody(body, { voice: { value: { name: 'en_US-joe-medium', accept_license: true } } }) },
  responses: {
    200: {
      description: 'A line of JSON for each event; at last `installed` or `error`.',
      content: { 'application/x-ndjson': { schema: installEventSchema } },
    },
  },
  errors: [...readErrors, ...bodyErrors, 'forbidden_role', 'origin_not_allowed', 'not_found', 'upstream_error'],

  createHandler: ({ voiceInstaller }) =>
    voiceInstaller === undefined ? () => Promise.reject(notHere()) : createInstall(voiceInstaller),
}
