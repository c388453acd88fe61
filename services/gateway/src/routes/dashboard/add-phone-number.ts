import { newPhoneNumberSchema, phoneNumbersContract } from '@parlance/contracts'
import { actorOf, principalOf } from '../../authentication/require-key.js'
import { parseBody } from '../../http/json-body.js'
import { respond } from '../../http/json-response.js'
import { json, jsonBody, member, type Route } from '../route.js'
import { phoneNumber, webhookPathOf } from './list-phone-numbers.js'

const example = {
  number: '+4930123456',
  agent_id: '3b0c1d52-2f7a-4f0e-9f4e-3a8f2f8a1b7d',
  account_sid: 'AC00000000000000000000000000000000',
  auth_token: '00000000000000000000000000000000',
}

export const addPhoneNumber: Route = {
  method: 'post',
  path: '/dashboard/api/phone-numbers',
  authentication: member('admin', 'agents'),
  operationId: 'addPhoneNumber',
  tag: 'Agents',
  summary: 'Let an Agent answer a telephone number',
  description: 'The auth token of its account is stored encrypted, and is never returned.',
  request: { body: jsonBody(newPhoneNumberSchema, { example: { value: example } }) },
  responses: { 201: json('The number.', phoneNumber) },
  calls: [phoneNumbersContract.methods.addNumber],
  createHandler: ({ phoneNumbers, publicUrl }) =>
    respond(201, async (req) => {
      const number = await parseBody(newPhoneNumberSchema, req)
      const { workspace_id } = principalOf(req)
      const request = { workspace_id, number, actor: actorOf(req) }
      const added = await phoneNumbers.addNumber(request, { context: req.context })
      return { ...added, webhook_url: publicUrl(req, webhookPathOf(added, workspace_id)) }
    }),
}
