import { catalogContract, languageTagSchema, offeredModelSchema } from '@parlance/contracts'
import { z } from 'zod'
import { principalOf } from '../../authentication/require-key.js'
import { sendNothing, sendResource } from '../../http/json-response.js'
import { parseRequest } from '../../http/parsed-request.js'
import { apiKey, json, type Route } from '../route.js'
import { mayInstall } from './local-request.js'

const maxLanguages = 20

const query = z.strictObject({
  /** BCP 47 tags, the preferred first. */
  languages: z
    .string()
    .max(400)
    .transform((text) => text.split(',').slice(0, maxLanguages))
    .pipe(z.array(languageTagSchema)),
})

/** Shown when there is no voice to offer. */
const searchCommand = 'npx parlance models search --kind tts'

/** The voice that the page for trying voices offers when all installed voices sound robotic. */
export const findNaturalVoice: Route = {
  method: 'get',
  path: '/try/natural-voice',
  authentication: apiKey('tts'),
  isUndocumented: true,
  operationId: 'findNaturalVoice',
  tag: 'Operations',
  summary: 'A natural voice to install',
  request: { query },
  responses: {
    200: json(
      'A command that installs a voice, or finds one; and the voice, where the page may install it.',
      z.object({ command: z.string(), voice: offeredModelSchema.nullable() }),
    ),
    204: { description: 'There is a natural voice already.' },
  },
  calls: [catalogContract.methods.listVoices],

  createHandler:
    ({ catalog, modelOffers }) =>
    async (req, res) => {
      const { languages } = parseRequest(query, req.query)
      const { voices } = await catalog.listVoices({ synthesis: 'neural', limit: 1 }, { context: req.context })
      if (voices.length > 0) return sendNothing(req, res)
      const voice = await modelOffers?.findVoice(languages)
      const command = voice === undefined ? searchCommand : `npx parlance models install ${voice.name}`
      const isOffered = await mayInstall(req, principalOf(req), modelOffers)
      sendResource(req, res, 200, { command, voice: isOffered && voice !== undefined ? voice : null })
    },
}
