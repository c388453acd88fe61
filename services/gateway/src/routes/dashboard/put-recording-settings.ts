import { agentsContract, defaultRecordingSettings } from '@parlance/contracts'
import { actorOf } from '../../authentication/require-key.js'
import { readJsonBody } from '../../http/json-body.js'
import { sendResource } from '../../http/json-response.js'
import { parseRequest } from '../../http/parsed-request.js'
import { json, jsonBody } from '../../openapi/content.js'
import { agentParameters } from '../../openapi/parameters.js'
import { agentAddressOf } from '../agents/agent-address.js'
import { member, type Route } from '../route.js'
import { recordingSettings, recordingSettingsAnswer } from './get-recording-settings.js'

const example = { ...defaultRecordingSettings, enabled: true }

export const putRecordingSettings: Route = {
  method: 'put',
  path: '/dashboard/api/agents/:agentId/recording',
  authentication: member('admin', 'agents'),
  operationId: 'putRecordingSettings',
  tag: 'Agents',
  summary: 'Set whether the conversations of an Agent are recorded',
  description:
    'For conversations that start from now on. Nothing has to be published. The audit log has an entry `recording_settings.changed`.',
  request: { params: agentParameters, body: jsonBody(recordingSettings, { example: { value: example } }) },
  responses: { 200: json('The settings.', recordingSettingsAnswer) },
  calls: [agentsContract.methods.getAgent],
  createHandler:
    ({ agents, recordings }) =>
    async (req, res) => {
      const address = agentAddressOf(req)
      const settings = parseRequest(recordingSettings, await readJsonBody(req))
      const options = { context: req.context }
      const { slug } = await agents.getAgent(address, options)
      const request = { ...address, settings, slug, actor: actorOf(req) }
      sendResource(req, res, 200, await recordings.putSettings(request, options))
    },
}
