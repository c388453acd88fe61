import { knowsLanguage, languageTagSchema, offeredModelSchema } from '@parlance/contracts'
import { z } from 'zod'
import { principalOf } from '../../authentication/require-key.js'
import { sendNothing, sendResource } from '../../http/json-response.js'
import { parseRequest } from '../../http/parsed-request.js'
import { apiKey, json, type Route } from '../route.js'
import { mayInstall } from './local-request.js'

const query = z.strictObject({ language: languageTagSchema })

const searchCommand = 'npx parlance models search --kind stt'

/** Whether conversations in a language are recognized, and the recognizer that the page Talk offers when they are not. */
export const findRecognizer: Route = {
  method: 'get',
  path: '/try/recognizer',
  authentication: apiKey('agents'),
  isUndocumented: true,
  operationId: 'findRecognizer',
  tag: 'Operations',
  summary: 'A recognizer to install',
  request: { query },
  responses: {
    200: json(
      'A command that installs a recognizer, or finds one; and the recognizer, where the page may install it.',
      z.object({ command: z.string(), recognizer: offeredModelSchema.nullable() }),
    ),
    204: { description: 'The language is recognized.' },
  },

  createHandler:
    ({ transcription, modelOffers }) =>
    async (req, res) => {
      const { language } = parseRequest(query, req.query)
      const { recognizers } = await transcription.listRecognizers({}, { context: req.context })
      if (recognizers.some((one) => !one.is_slow && knowsLanguage(one.languages ?? undefined, language))) {
        return sendNothing(req, res)
      }
      const recognizer = await modelOffers?.findRecognizer(language)
      const command = recognizer === undefined ? searchCommand : `npx parlance models install ${recognizer.name}`
      const isOffered = await mayInstall(req, principalOf(req), modelOffers)
      sendResource(req, res, 200, { command, recognizer: (isOffered && recognizer) || null })
    },
}
