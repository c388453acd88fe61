import { agentsContract, recordingSettingsSchema } from '@parlance/contracts'
import { z } from 'zod'
import { forward } from '../../http/json-response.js'
import { agentAddressOf, agentParameters } from '../path-parameters.js'
import { json, member, type Route } from '../route.js'

export const recordingSettings = recordingSettingsSchema.meta({ id: 'RecordingSettings' })

export const recordingSettingsAnswer = z
  .object({
    settings: recordingSettings,
    available: z.boolean().meta({ description: 'False when the installation has no storage for recordings.' }),
  })
  .meta({ id: 'AgentRecording' })

export const getRecordingSettings: Route = {
  method: 'get',
  path: '/dashboard/api/agents/:agentId/recording',
  authentication: member('member', 'agents'),
  operationId: 'getRecordingSettings',
  tag: 'Agents',
  summary: 'Read whether the conversations of an Agent are recorded',
  request: { params: agentParameters },
  responses: { 200: json('The settings.', recordingSettingsAnswer) },
  calls: [agentsContract.methods.getAgent],
  createHandler: ({ agents, recordings }) =>
    forward(async (req) => {
      const address = agentAddressOf(req)
      const options = { context: req.context }
      await agents.getAgent(address, options)
      return recordings.raw.getSettings(address, options)
    }),
}
