import { apiKeyEnv } from '@parlance/clients/api-key'
import { outboundVariables } from '@parlance/egress'
import { z } from 'zod'

export const env = z.object({
  API_KEY_PEPPERS: apiKeyEnv.shape.API_KEY_PEPPERS,
  ...outboundVariables,
  WEBHOOK_TIMEOUT_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .max(60)
    .default(15)
    .describe('how long a webhook may take to answer, in seconds from 1 to 60'),
  WEBHOOK_CONCURRENCY: z.coerce
    .number()
    .int()
    .min(1)
    .max(500)
    .default(20)
    .describe(
      'the requests to webhooks that a process makes at a time, from 1 to 500, a quarter of them for one workspace at most',
    ),
})
export type WebhooksEnv = z.infer<typeof env>
