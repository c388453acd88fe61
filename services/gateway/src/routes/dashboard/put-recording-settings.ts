import { agentsContract, defaultRecordingSettings } from '@parlance/contracts'
import { actorOf } from '../../authentication/require-key.js'
import { parseBody } from '../../http/json-body.js'
import { respond } from '../../http/json-response.js'
import { agentAddressOf, agentParameters } from '../path-parameters.js'
import { json, jsonBody, member, type Route } from '../route.js'
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
  createHandler: ({ agents, recordings }) =>
    respond(200, async (req) => {
      const address = agentAddressOf(req)
      const settings = await parseBody(recordingSettings, req)
      const options = { context: req.context }
      const { slug } = await agents.getAgent(address, options)
      const request = { ...address, settings, slug, actor: actorOf(req) }
      return recordings.putSettings(request, options)
    }),
}
