import { z } from 'zod'

const agentId = z.uuid().meta({ description: 'The `id` of the Agent.' })
const sessionId = z.uuid().meta({ description: 'The `session_id` of the conversation.' })

export const agentParameters = z.object({ agentId })
export const sessionParameters = z.object({ sessionId })
export const agentSessionParameters = z.object({ agentId, sessionId })
export const endUserParameters = z.object({
  endUserId: z.uuid().meta({ description: 'The `end_user_id` that session tokens are minted with.' }),
})

const webhookId = z.uuid().meta({ description: 'The `id` of the webhook.' })

export const webhookParameters = z.object({ webhookId })
export const deliveryParameters = z.object({
  webhookId,
  deliveryId: z.uuid().meta({ description: 'The `id` of the delivery.' }),
})
