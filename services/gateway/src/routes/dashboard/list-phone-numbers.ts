import { type AgentPhoneNumber, agentPhoneNumberSchema } from '@parlance/contracts'
import { z } from 'zod'
import { principalOf } from '../../authentication/require-key.js'
import { respond } from '../../http/json-response.js'
import { json, member, type Route } from '../route.js'

export const phoneNumber = agentPhoneNumberSchema
  .extend({
    webhook_url: z.string().meta({ description: 'Where the provider of the number asks how to answer a call.' }),
  })
  .meta({ id: 'PhoneNumber' })

/** The path of its webhook. Telnyx's requests name the workspace, as their signature shows a public key alone. */
export const webhookPathOf = ({ provider }: AgentPhoneNumber, workspaceId: string): string =>
  `/v1/telephony/${provider}${provider === 'telnyx' ? `?workspace=${workspaceId}` : ''}`

export const listPhoneNumbers: Route = {
  method: 'get',
  path: '/dashboard/api/phone-numbers',
  authentication: member('member', 'agents'),
  operationId: 'listPhoneNumbers',
  tag: 'Agents',
  summary: 'List the telephone numbers of the workspace, oldest first',
  responses: { 200: json('OK', z.object({ numbers: z.array(phoneNumber) })) },
  createHandler: ({ phoneNumbers, publicUrl }) =>
    respond(200, async (req) => {
      const { workspace_id } = principalOf(req)
      const { numbers } = await phoneNumbers.listNumbers({ workspace_id }, { context: req.context })
      const webhookOf = (number: AgentPhoneNumber) => publicUrl(req, webhookPathOf(number, workspace_id))
      return { numbers: numbers.map((number) => ({ ...number, webhook_url: webhookOf(number) })) }
    }),
}
