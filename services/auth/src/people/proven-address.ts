/** When the address of an account counts as that of the person, besides what the library says. */
import type { AuthContext } from 'better-auth'
import type { Mailer } from './mail/mailer.js'

/** A mail to the new address has confirmed the change, where mails are sent. Otherwise nothing has. */
export const changedAddress =
  ({ canSend }: Pick<Mailer, 'canSend'>) =>
  async <Change extends { email?: string | undefined }>(change: Change) =>
    change.email === undefined ? undefined : { data: { ...change, emailVerified: canSend } }

/** A link for a new password proves the address. What else signed in to the account before may be that of others. */
export const verifyByPasswordLink = async (
  { internalAdapter }: Pick<AuthContext, 'internalAdapter'>,
  user: { readonly id: string; readonly emailVerified: boolean },
): Promise<void> => {
  if (user.emailVerified) return
  const others = (await internalAdapter.findAccounts(user.id)).filter(({ providerId }) => providerId !== 'credential')
  for (const { id } of others) await internalAdapter.deleteAccount(id)
  await internalAdapter.updateUser(user.id, { emailVerified: true })
}
