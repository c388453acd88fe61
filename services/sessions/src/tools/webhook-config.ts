import { outboundVariables } from '@parlance/egress'
import { z } from 'zod'

/** The variables of webhook tools; spread into the service's `env`. */
export const webhookVariables = {
  TOOL_SIGNING_KEY: z.string().trim().min(1).optional().describe('"whsk_" followed by 32 random bytes in base64'),
  TOOL_SIGNING_KEY_FILE: z
    .string()
    .min(1)
    .optional()
    .describe('a file with the key that calls of webhook tools are signed with'),
  ...outboundVariables,
}

const schema = z.object(webhookVariables)
export type WebhookConfig = z.output<typeof schema>
