import { parseAllowedPlaces } from '@parlance/egress'
import { z } from 'zod'

/** The variables of webhook tools; spread into the service's `env`. */
export const webhookVariables = {
  TOOL_SIGNING_KEY: z.string().trim().min(1).optional().describe('"whsk_" followed by 32 random bytes in base64'),
  TOOL_SIGNING_KEY_FILE: z
    .string()
    .min(1)
    .optional()
    .describe('a file with the key that calls of webhook tools are signed with'),
  OUTBOUND_ALLOW: z
    .string()
    .default('')
    .transform((text, context) => {
      try {
        return parseAllowedPlaces(text)
      } catch (error) {
        context.addIssue({ code: 'custom', message: (error as Error).message })
        return z.NEVER
      }
    })
    .describe('hosts and networks such as hooks.internal,10.0.0.0/8, separated by commas'),
  OUTBOUND_PORTS: z
    .string()
    .transform((text) => text.split(',').map(Number))
    .pipe(z.array(z.int().min(1).max(65535)))
    .optional()
    .describe('ports such as 443,8443, separated by commas'),
}

const schema = z.object(webhookVariables)
export type WebhookConfig = z.output<typeof schema>
