import { z } from 'zod'

/** The setting `PUBLIC_URL`, without a slash at its end. */
export const publicUrlSchema = z
  .url({ protocol: /^https?$/ })
  .transform((url) => url.replace(/\/+$/, ''))
  .optional()
  .describe(
    'the address at which clients reach the gateway, such as https://speech.example.com; that of each request when left out',
  )
