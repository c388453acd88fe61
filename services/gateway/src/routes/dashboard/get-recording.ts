import { recordingSchema, recordingsContract } from '@parlance/contracts'
import { z } from 'zod'
import { forward } from '../../http/json-response.js'
import { sessionAddressOf, sessionParameters } from '../path-parameters.js'
import { json, member, type Route } from '../route.js'

const answer = z.object({ recording: recordingSchema.meta({ id: 'Recording' }).nullable() })

export const getRecording: Route = {
  method: 'get',
  path: '/dashboard/api/agent-sessions/:sessionId/recording',
  authentication: member('member', 'agents'),
  operationId: 'getRecording',
  tag: 'Sessions',
  summary: 'Read the state of the recording of a conversation',
  description:
    '`recording` is null for a conversation of an Agent that is not recorded. `positions` has the beginning of each message.',
  request: { params: sessionParameters },
  responses: { 200: json('The recording, without its audio.', answer) },
  calls: [recordingsContract.methods.getRecording],
  createHandler: ({ recordings }) =>
    forward((req) => recordings.raw.getRecording(sessionAddressOf(req), { context: req.context })),
}
