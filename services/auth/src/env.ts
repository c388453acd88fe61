import { apiKeyEnv } from '@parlance/clients/api-key'
import { publicUrlSchema } from '@parlance/runtime'
import { z } from 'zod'

/** Over HTTP only on this machine, for trials. */
const isSecureAddress = (url: string): boolean => /^(https:|http:\/\/(localhost|127\.0\.0\.1)[:/])/.test(`${url}/`)

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
  OIDC_ISSUER: z
    .url()
    .refine(isSecureAddress, 'must begin with https://')
    .optional()
    .describe(
      'an OpenID Connect provider with which people sign in, as its ID tokens name it, such as https://login.example.com; needs PUBLIC_URL',
    ),
  OIDC_CLIENT_ID: z.string().min(1).optional().describe('the id of this client at the provider'),
  OIDC_CLIENT_SECRET: z.string().min(1).optional().describe('the secret of this client at the provider'),
  OIDC_CLIENT_SECRET_FILE: z.string().min(1).optional().describe('the file that contains OIDC_CLIENT_SECRET'),
  OIDC_NAME: z.string().min(1).max(40).default('SSO').describe('the provider on the button "Sign in with ..."'),
})
export type AuthEnv = z.infer<typeof env>
