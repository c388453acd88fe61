import { z } from 'zod'
import { endReasonSchema } from './api/session-event.js'
import { analysisSchema } from './evaluation.js'
import { creditSchema, idSchema, timestampSchema } from './primitives.js'

const publicationSchema = z.looseObject({ id: idSchema, version: z.int() })

const sessionFields = {
  session_id: idSchema,
  agent_id: idSchema,
  publication: publicationSchema,
  end_user_id: idSchema.nullable(),
  transport: z.string(),
  started_at: timestampSchema.nullable(),
}

const endedSessionFields = {
  ...sessionFields,
  ended_at: timestampSchema,
  duration_seconds: z.number(),
  end_reason: endReasonSchema,
  error: z.object({ code: z.string(), detail: z.string() }).nullable(),
  credit_used: creditSchema,
}

const creditFields = { balance: creditSchema, unit: z.literal('credit') }

const eventOf = <Type extends string, Data extends z.ZodRawShape>(type: Type, data: Data) =>
  z.object({ type: z.literal(type), data: z.looseObject(data) })

/**
 * The events of webhooks. Senders of a later version may add fields to `data`, which are kept.
 */
export const webhookEventSchema = z.discriminatedUnion('type', [
  eventOf('agent.published', {
    agent_id: idSchema,
    slug: z.string(),
    publication: publicationSchema,
    revision: publicationSchema,
  }),
  eventOf('agent_session.started', sessionFields),
  eventOf('agent_session.ended', endedSessionFields),
  eventOf('agent_session.failed', endedSessionFields),
  eventOf('agent_session.analyzed', {
    session_id: idSchema,
    agent_id: idSchema,
    end_user_id: idSchema.nullable(),
    ...analysisSchema.shape,
  }),
  eventOf('credit.low', { ...creditFields, threshold: creditSchema }),
  eventOf('credit.exhausted', creditFields),
  eventOf('api_key.revoked', { key_id: idSchema, label: z.string(), prefix: z.string() }),
])
export type WebhookEvent = z.infer<typeof webhookEventSchema>

export const webhookEventTypeSchema = z.enum(webhookEventSchema.options.map(({ shape }) => shape.type.value))
export type WebhookEventType = z.infer<typeof webhookEventTypeSchema>
