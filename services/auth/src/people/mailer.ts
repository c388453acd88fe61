import { type ReadSecret, readSecretSetting, StartupError } from '@parlance/runtime'
import { createTransport } from 'nodemailer'
import type { AuthEnv } from '../../env.js'
import { confirmEmailMail, invitationMail, type Mail, manySignInsMail, passwordMail, verifyEmailMail } from './mails.js'

/** Sends the mails about accounts. The methods resolve when the mail server has taken the mail. */
export interface Mailer {
  /** False without a mail server: the methods send nothing then. */
  readonly canSend: boolean
  /** `path` is below the address of the gateway. */
  resetPassword(email: string, path: string): Promise<void>
  verifyEmail(email: string, url: string): Promise<void>
  /** Sent to the current address. */
  confirmEmail(email: string, newEmail: string, url: string): Promise<void>
  /** `path` is below the address of the gateway. */
  invite(email: string, invitation: { path: string; workspace: string; inviter: string }): Promise<void>
  /** Many passwords were tried for this account. */
  warnOfSignIns(email: string): Promise<void>
  close(): void
}

const timeoutMs = 10_000

type Send = (to: string, mail: Mail) => Promise<void>

/**
 * Sends over SMTP. Without `SMTP_URL` it sends nothing: operators print links then. Throws `StartupError` for incomplete
 * settings.
 */
export const createMailer = (settings: AuthEnv, readSecret: ReadSecret): Mailer => {
  const url = readSecretSetting(settings, 'SMTP_URL', readSecret)
  if (url === undefined) return { ...mailerBy(settings.PUBLIC_URL ?? '', async () => {}), canSend: false }
  const { MAIL_FROM: from, PUBLIC_URL: publicUrl } = settings
  const missing = [...(from === undefined ? ['MAIL_FROM'] : []), ...(publicUrl === undefined ? ['PUBLIC_URL'] : [])]
  if (missing.length > 0) throw new StartupError([`SMTP_URL needs ${missing.join(' and ')} too.`])
  const transport = createTransport(
    { url, connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs },
    { from },
  )
  const mailer = mailerBy(publicUrl!, async (to, mail) => {
    await transport.sendMail({ to, ...mail })
  })
  return { ...mailer, close: () => transport.close() }
}

const mailerBy = (publicUrl: string, send: Send): Mailer => ({
  canSend: true,
  resetPassword: (email, path) => send(email, passwordMail(`${publicUrl}${path}`)),
  verifyEmail: (email, url) => send(email, verifyEmailMail(url)),
  confirmEmail: (email, newEmail, url) => send(email, confirmEmailMail(newEmail, url)),
  invite: (email, { path, ...invitation }) =>
    send(email, invitationMail({ ...invitation, url: `${publicUrl}${path}` })),
  warnOfSignIns: (email) => send(email, manySignInsMail(`${publicUrl}/account`)),
  close: () => {},
})
