import { apiKeyEnv } from '@parlance/clients/api-key'
import { publicUrlSchema } from '@parlance/runtime'
import { z } from 'zod'

export const env = apiKeyEnv.extend({
  PUBLIC_URL: publicUrlSchema,
  SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .optional()
    .describe(
      'the mail server for invitations and password links, such as smtps://user:password@mail.example.com; when left out, operators print links by the command line',
    ),
  SMTP_URL_FILE: z.string().min(1).optional().describe('the file that contains SMTP_URL'),
  MAIL_FROM: z
    .string()
    .min(3)
    .optional()
    .describe('the sender of these mails, such as "Parlance <parlance@example.com>"; needed with SMTP_URL'),
})
export type AuthEnv = z.infer<typeof env>
