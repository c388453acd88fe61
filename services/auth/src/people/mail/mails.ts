/** The texts of the mails about accounts. They are plain text, so that nothing in a name is read as markup. */
export interface Mail {
  readonly subject: string
  readonly text: string
}

const paragraphs = (...lines: readonly string[]): string => `${lines.join('\n\n')}\n`

/** A name in one line. */
const inLine = (name: string): string => name.replace(/\s+/g, ' ').trim()

export const passwordMail = (url: string): Mail => ({
  subject: 'Choose a new password for Parlance',
  text: paragraphs(
    'A new password was requested for your Parlance account. This link can be used once, within an hour:',
    url,
    'If you did not request it, ignore this mail. Your password does not change.',
  ),
})

export const verifyEmailMail = (url: string): Mail => ({
  subject: 'Confirm your e-mail address for Parlance',
  text: paragraphs('This link confirms that this address is yours:', url),
})

export const confirmEmailMail = (newEmail: string, url: string): Mail => ({
  subject: 'Confirm the change of your e-mail address for Parlance',
  text: paragraphs(
    `A change of the address of your Parlance account to ${inLine(newEmail)} was requested. This link confirms it:`,
    url,
    'If you did not request it, sign in and choose a new password.',
  ),
})

export const invitationMail = ({
  url,
  workspace,
  inviter,
}: {
  url: string
  workspace: string
  inviter: string
}): Mail => ({
  subject: `${inLine(inviter)} invites you to ${inLine(workspace)} on Parlance`,
  text: paragraphs(
    `${inLine(inviter)} invites you to the workspace ${inLine(workspace)} on Parlance. This link is valid for seven days:`,
    url,
  ),
})

export const manySignInsMail = (url: string): Mail => ({
  subject: 'Many attempts to sign in to your Parlance account',
  text: paragraphs(
    'There were more attempts to sign in to your Parlance account than the limit allows. If it was you, ignore this mail.',
    'If it was not you, someone is guessing your password. A wrong password changes nothing, and you can sign in as before. Make sure that your password is long and used nowhere else. You can change it, or add a passkey, on this page:',
    url,
    'You get this mail at most once a day.',
  ),
})
