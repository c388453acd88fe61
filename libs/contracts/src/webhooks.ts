import { z } from 'zod'
import { actorField } from './audit.js'
import { call, contract } from './contract.js'
import { idSchema, orderSchema, pageRequestSchema, storableTextSchema, timestampSchema } from './primitives.js'
import { webhookEventSchema, webhookEventTypeSchema } from './webhook-event.js'

const urlSchema = z
  .url({ protocol: /^https?$/, error: 'must be an address such as "https://example.com/hooks"' })
  .max(2_048)

const eventsSchema = z
  .array(webhookEventTypeSchema)
  .min(1)
  .max(webhookEventTypeSchema.options.length)
  .refine((events) => new Set(events).size === events.length, { error: 'must not repeat a type' })
  .meta({ uniqueItems: true })

const descriptionSchema = storableTextSchema.max(500)

export const newWebhookSchema = z.strictObject({
  url: urlSchema,
  events: eventsSchema,
  description: descriptionSchema.default(''),
})

/** Without defaults: a field that is left out stays as it is. */
export const webhookPatchSchema = z.strictObject({
  url: urlSchema.optional(),
  events: eventsSchema.optional(),
  description: descriptionSchema.optional(),
  enabled: z.boolean().optional(),
})
export type WebhookPatch = z.infer<typeof webhookPatchSchema>

export const webhookSchema = z.object({
  id: idSchema,
  url: z.string(),
  events: z.array(webhookEventTypeSchema),
  description: z.string(),
  enabled: z.boolean(),
  /** `requested` by a client, or `failing` for too long. Null while it is enabled. */
  disabled_reason: z.enum(['requested', 'failing']).nullable(),
  disabled_at: timestampSchema.nullable(),
  /** The first failure since the last success. */
  failing_since: timestampSchema.nullable(),
  created_at: timestampSchema,
  updated_at: timestampSchema,
})
export type Webhook = z.infer<typeof webhookSchema>

/** With the secret, which is shown only once. */
export const createdWebhookSchema = webhookSchema.extend({ secret: z.string() })

export const rotatedWebhookSchema = createdWebhookSchema.extend({
  /** Until then requests are also signed with the earlier secrets. */
  previous_secrets_expire_at: timestampSchema,
})

const webhookAttemptSchema = z.object({
  attempted_at: timestampSchema,
  duration_ms: z.int().nonnegative(),
  /** The status of the response; null when there was no response. */
  status: z.int().nullable(),
  /** The beginning of the response body. */
  response: z.string().nullable(),
  /** Why it failed; null for a success. */
  error: z.string().nullable(),
})
export type WebhookAttempt = z.infer<typeof webhookAttemptSchema>

export const deliveryStatusSchema = z.enum(['pending', 'succeeded', 'failed'])

export const webhookDeliverySchema = z.object({
  id: idSchema,
  webhook_id: idSchema,
  /** The header `webhook-id` of each attempt. */
  event_id: idSchema,
  type: webhookEventTypeSchema,
  status: deliveryStatusSchema,
  next_attempt_at: timestampSchema.nullable(),
  created_at: timestampSchema,
  /** The last seven, newest first. */
  attempts: z.array(webhookAttemptSchema),
})
export type WebhookDelivery = z.infer<typeof webhookDeliverySchema>

export const webhookPageSchema = z.object({ webhooks: z.array(webhookSchema), next_cursor: z.string().nullable() })

export const deliveryPageSchema = z.object({
  deliveries: z.array(webhookDeliverySchema),
  next_cursor: z.string().nullable(),
})

const addressSchema = z.strictObject({ workspace_id: idSchema, webhook_id: idSchema })
const listSchema = pageRequestSchema.extend({ order: orderSchema.default('desc') })

export const webhooksContract = contract({
  name: 'webhooks',
  version: '1.1.0',
  description: 'Webhooks of workspaces: endpoints, events and their deliveries',
  methods: {
    /** Accepts events of other services. An event whose id was accepted before is ignored. */
    recordEvents: call({
      request: z.strictObject({
        events: z
          .array(z.object({ id: idSchema, workspace_id: idSchema, at: timestampSchema, event: webhookEventSchema }))
          .max(100),
      }),
      reply: z.object({}),
    }),
    createWebhook: call({
      request: z.strictObject({ workspace_id: idSchema, webhook: newWebhookSchema, ...actorField }),
      reply: createdWebhookSchema,
      errors: ['invalid_request'],
    }),
    getWebhook: call({ request: addressSchema, reply: webhookSchema, errors: ['not_found'] }),
    listWebhooks: call({
      request: listSchema.extend({ workspace_id: idSchema }),
      reply: webhookPageSchema,
      errors: ['invalid_request'],
    }),
    /** Disabling it drops undelivered events. Enabling it resets the count of its failures. */
    updateWebhook: call({
      request: addressSchema.extend({ patch: webhookPatchSchema, ...actorField }),
      reply: webhookSchema,
      errors: ['not_found', 'invalid_request'],
    }),
    deleteWebhook: call({ request: addressSchema.extend(actorField), reply: z.object({}), errors: ['not_found'] }),
    rotateSecret: call({
      request: addressSchema.extend(actorField),
      reply: rotatedWebhookSchema,
      errors: ['not_found'],
    }),
    listDeliveries: call({
      request: listSchema.extend({ ...addressSchema.shape, status: deliveryStatusSchema.optional() }),
      reply: deliveryPageSchema,
      errors: ['not_found', 'invalid_request'],
    }),
    /** Restarts the schedule with an immediate attempt. */
    replayDelivery: call({
      request: addressSchema.extend({ delivery_id: idSchema }),
      reply: webhookDeliverySchema,
      errors: ['not_found', 'invalid_request'],
    }),
  },
})
