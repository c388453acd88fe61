import { z } from 'zod'
import { parseAllowedPlaces } from './allowed-places.js'

/** The variables of services that call addresses of customers; spread into the service's `env`. */
export const outboundVariables = {
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
