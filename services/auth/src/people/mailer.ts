import { type ReadSecret, readSecretSetting, StartupError } from '@parlance/runtime'
import type { AuthEnv } from '../env.js'

/** The texts of the mails about accounts. They are plain text, so that nothing in a name is read as markup. */
interface Mail {
  readonly subject: string
  readonly text: string
}

const paragraphs = (...lines: readonly string[]): string => `${lines.join('\n\n')}\n`

/** A name in one line. */
const inLine = (name: string): string => name.replace(/\s+/g, ' ').trim()

const passwordMail = (url: string): Mail => ({
  subject: 'Choose a new password for Parlance',
  text: paragraphs(
    'A new password was requested for your Parlance account. This link can be used once, within an hour:',
    url,
    'If you did not request it, ignore this mail. Your password does not change.',
  ),
})

const verifyEmailMail = (url: string): Mail => ({
  subject: 'Confirm your e-mail address for Parlance',
  text: paragraphs('This link confirms that this address is yours:', url),
})

const confirmEmailMail = (newEmail: string, url: string): Mail => ({
  subject: 'Confirm the change of your e-mail address for Parlance',
  text: paragraphs(
    `A change of the address of your Parlance account to ${inLine(newEmail)} was requested. This link confirms it:`,
    url,
    'If you did not request it, sign in and choose a new password.',
  ),
})

const invitationMail = ({ url, workspace, inviter }: { url: string; workspace: string; inviter: string }): Mail => ({
  subject: `${inLine(inviter)} invites you to ${inLine(workspace)} on Parlance`,
  text: paragraphs(
    `${inLine(inviter)} invites you to the workspace ${inLine(workspace)} on Parlance. This link is valid for seven days:`,
    url,
  ),
})

const manySignInsMail = (url: string): Mail => ({
  subject: 'Many attempts to sign in to your Parlance account',
  text: paragraphs(
    'There were more attempts to sign in to your Parlance account than the limit allows. If it was you, ignore this mail.',
    'If it was not you, someone is guessing your password. A wrong password changes nothing, and you can sign in as before. Make sure that your password is long and used nowhere else. You can change it, or add a passkey, on this page:',
    url,
    'You get this mail at most once a day.',
  ),
})

const timeoutMs = 10_000

type Send = (to: string, mail: Mail) => Promise<void>

/**
 * Sends over SMTP. Without `SMTP_URL` it sends nothing: operators print links then. Rejects with `StartupError` for
 * incomplete settings.
 */
export const createMailer = async (settings: AuthEnv, readSecret: ReadSecret): Promise<Mailer> => {
  const url = readSecretSetting(settings, 'SMTP_URL', readSecret)
  if (url === undefined) return { ...mailerBy(settings.PUBLIC_URL ?? '', async () => {}), canSend: false }
  const { MAIL_FROM: from, PUBLIC_URL: publicUrl } = settings
  const missing = [...(from === undefined ? ['MAIL_FROM'] : []), ...(publicUrl === undefined ? ['PUBLIC_URL'] : [])]
  if (missing.length > 0) throw new StartupError([`SMTP_URL needs ${missing.join(' and ')} too.`])
  const { createTransport } = await import('nodemailer')
  const transport = createTransport(
    { url, connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs },
    { from },
  )
  const mailer = mailerBy(publicUrl!, async (to, mail) => {
    await transport.sendMail({ to, ...mail })
  })
  return { ...mailer, close: () => transport.close() }
}

/** Sends the mails about accounts. The methods resolve when the mail server has taken the mail. */
const mailerBy = (publicUrl: string, send: Send) => ({
  /** False without a mail server: the methods send nothing then. */
  canSend: true as boolean,
  /** `path` is below the address of the gateway. */
  resetPassword: (email: string, path: string) => send(email, passwordMail(`${publicUrl}${path}`)),
  verifyEmail: (email: string, url: string) => send(email, verifyEmailMail(url)),
  /** Sent to the current address. */
  confirmEmail: (email: string, newEmail: string, url: string) => send(email, confirmEmailMail(newEmail, url)),
  /** `path` is below the address of the gateway. */
  invite: (email: string, { path, ...invitation }: { path: string; workspace: string; inviter: string }) =>
    send(email, invitationMail({ ...invitation, url: `${publicUrl}${path}` })),
  /** Many passwords were tried for this account. */
  warnOfSignIns: (email: string) => send(email, manySignInsMail(`${publicUrl}/account`)),
  close: () => {},
})

export type Mailer = ReturnType<typeof mailerBy>
