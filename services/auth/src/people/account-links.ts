/** The paths of links in mails and on the command line, below the address of the gateway, and how long they are valid. */
import { type AccountLink, accountPath } from '@parlance/contracts'

const hourMs = 60 * 60 * 1_000

/** The lifetime of a link that signs a person in or sets a new password. */
export const linkLifeMs = hourMs
export const invitationLifeMs = 7 * 24 * hourMs

/** The page of the dashboard on which people sign in. Its parameter `error` has the reason of a failure. */
export const signInPagePath = '/sign-in'

export const signInPath = (token: string): string =>
  `${accountPath}/magic-link/verify?${new URLSearchParams({ token, callbackURL: '/' })}`

/** The page of the dashboard on which a person chooses a password. */
export const passwordPath = (token: string): string => `/password?${new URLSearchParams({ token })}`

/** The page of the dashboard on which an invitation is accepted. The token proves that the link was received. */
export const invitationPath = (id: string, token: string): string => `/invitation?${new URLSearchParams({ id, token })}`

/** `publicUrl` is the address of the gateway, where it is known. */
export const linkTo = (publicUrl: string | undefined, path: string, expiresAt: Date): AccountLink => ({
  path,
  url: publicUrl === undefined ? null : `${publicUrl}${path}`,
  expires_at: expiresAt.toISOString(),
})
