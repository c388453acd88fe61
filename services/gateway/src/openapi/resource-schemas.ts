import {
  agentConfigSchema,
  agentSchema,
  createdWebhookSchema,
  knowledgeFileSchema,
  publicationSchema,
  rotatedWebhookSchema,
  sessionMessageSchema,
  sessionRecordSchema,
  sessionSummarySchema,
  webhookDeliverySchema,
  webhookSchema,
} from '@parlance/contracts'
import { z } from 'zod'

export const webhook = webhookSchema.meta({ id: 'Webhook' })
export const createdWebhook = createdWebhookSchema.meta({ id: 'CreatedWebhook' })
export const rotatedWebhook = rotatedWebhookSchema.meta({ id: 'RotatedWebhook' })
export const webhookDelivery = webhookDeliverySchema.meta({ id: 'WebhookDelivery' })

export const sessionSummary = sessionSummarySchema.meta({ id: 'SessionSummary' })
export const sessionRecord = sessionRecordSchema.meta({ id: 'Session' })
export const sessionMessage = sessionMessageSchema.meta({ id: 'SessionMessage' })

export const answerSdp = z.object({ type: z.literal('answer'), sdp: z.string() })

export const agent = agentSchema.meta({ id: 'Agent' })
export const agentConfig = agentConfigSchema.meta({ id: 'AgentConfig' })
export const knowledgeFile = knowledgeFileSchema.meta({ id: 'KnowledgeFile' })
export const publication = publicationSchema.meta({ id: 'Publication' })

/** An `If-Match` header with one tag, or with the asterisk for any. */
export const ifMatchPattern = /^(\*|(W\/)?"[!#-~]*")$/

/** The response headers of an Agent. */
export const etagHeader = { etag: z.string().meta({ description: 'The version of the draft.', example: '"rev-3"' }) }

/** The request headers of operations that change an Agent. */
export const ifMatchHeader = z.object({
  'if-match': z
    .string()
    .regex(ifMatchPattern)
    .optional()
    .meta({ description: 'The `ETag` that the Agent must still have.', example: '"rev-3"' }),
})
