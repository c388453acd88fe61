/**
 * Configures the library: better-auth with its organization plugin. There is no public sign-up: an operator adds a
 * person, or a member with the right invites one.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { hkdfSync } from 'node:crypto'
import type { Peppers } from '@parlance/clients/api-key'
import { accountPath, passwordSchema, roleSchema } from '@parlance/contracts'
import type { Platform } from '@parlance/runtime'
import type { Database } from '@parlance/store'
import { type AuthContext, type BetterAuthOptions, betterAuth } from 'better-auth'
import {
  APIError,
  createAuthEndpoint,
  createAuthMiddleware,
  getIP,
  sensitiveSessionMiddleware,
  setPassword,
} from 'better-auth/api'
import type { OrganizationOptions } from 'better-auth/plugins'
import { magicLink } from 'better-auth/plugins/magic-link'
import { organization } from 'better-auth/plugins/organization'
import { z } from 'zod'
import { createActingPool } from '../audit/acting-person.js'
import { invitationLifeMs, invitationPath, linkLifeMs, passwordPath, signInPagePath } from './account-links.js'
import { clientAddressHeader } from './account-request.js'
import { accountTables, organizationTables } from './account-tables.js'
import type { IdentityProvider } from './identity-provider.js'
import type { Mailer } from './mailer.js'
import { passkeySignIn } from './passkeys.js'
import { providerSignIn, refuseUninvited } from './provider-sign-in.js'
import { type LimitAccount, type SignInLimit, signInRules } from './sign-in-limit.js'

/** When the address of an account counts as that of the person, besides what the library says. */
/** When mails are sent, a mail to the new address has confirmed the change. Otherwise nothing has. */
const changedAddress =
  ({ canSend }: Pick<Mailer, 'canSend'>) =>
  async <Change extends { email?: string | undefined }>(change: Change) =>
    change.email === undefined ? undefined : { data: { ...change, emailVerified: canSend } }

/** A link for a new password proves the address. Earlier ways to sign in to the account may belong to other people. */
const verifyByPasswordLink = async (
  { internalAdapter }: Pick<AuthContext, 'internalAdapter'>,
  user: { readonly id: string; readonly emailVerified: boolean },
): Promise<void> => {
  if (user.emailVerified) return
  const others = (await internalAdapter.findAccounts(user.id)).filter(({ providerId }) => providerId !== 'credential')
  for (const { id } of others) await internalAdapter.deleteAccount(id)
  await internalAdapter.updateUser(user.id, { emailVerified: true })
}

const refuseOtherRoles = async (role: unknown): Promise<void> => {
  if (roleSchema.safeParse(role).success) return
  throw new APIError('BAD_REQUEST', { message: `role: must be one of ${roleSchema.options.join(', ')}` })
}

/** A member has one role. The library accepts several, and joins them with commas. */
const oneRole = {
  beforeCreateInvitation: ({ invitation: { role } }) => refuseOtherRoles(role),
  beforeUpdateMemberRole: ({ newRole }) => refuseOtherRoles(newRole),
} satisfies OrganizationOptions['organizationHooks']

/**
 * `POST /set-password`: a signed-in person who has no password chooses one. The library supports this, but has no route for
 * it. A person who has a password changes it with the old one.
 */
const firstPassword = () => ({
  id: 'first-password' as const,
  endpoints: {
    setFirstPassword: createAuthEndpoint(
      '/set-password',
      { method: 'POST', body: z.object({ newPassword: z.string() }), use: [sensitiveSessionMiddleware] },
      async ({ body, context, headers, json }) => json(await setPassword({ body, context, headers })),
    ),
  },
})

export interface AccountLibraryOptions {
  readonly database: Pick<Database, 'pool'>
  /** The secrets of sign-ins are derived from them. The first one signs; the others are accepted. */
  readonly peppers: Peppers
  /** The address of the gateway. When it is left out, it is that of each request, and cookies are sent over HTTP too. */
  readonly publicUrl: string | undefined
  readonly mailer: Mailer
  readonly limit: SignInLimit
  readonly logger: Platform['logger']
  /** Called after a member was removed. */
  onMemberRemoved(workspaceId: string): void
  readonly limitAccount: LimitAccount
  /** Whether an invitation of this address is pending. */
  isInvited(email: string): Promise<boolean>
  /** Creates the token that the link of an invitation has besides its id. */
  createInvitationToken(invitationId: string): Promise<string>
}

const linkLifeSeconds = linkLifeMs / 1_000
const sessionLifeSeconds = 14 * 24 * 60 * 60
const sessionRefreshSeconds = 24 * 60 * 60

/** Receives the token of a link that an operator requested, in place of the mail. */
export const printedToken = new AsyncLocalStorage<(token: string) => void>()

/** Derives a secret for another purpose, so that an installation needs no further secret. */
const signInSecret = (pepper: string): string =>
  Buffer.from(hkdfSync('sha256', pepper, '', 'parlance sign-ins', 32)).toString('base64url')

const noTokens = { accessToken: null, refreshToken: null, idToken: null }

const cookies = (publicUrl: string | undefined): NonNullable<BetterAuthOptions['advanced']> => {
  const secure = publicUrl?.startsWith('https:') ?? false
  return {
    // The prefix `__Host-` is used instead of the library's `__Secure-`.
    useSecureCookies: false,
    cookiePrefix: secure ? '__Host-parlance' : 'parlance',
    defaultCookieAttributes: { secure, httpOnly: true, sameSite: 'lax', path: '/' },
  }
}

/** The library. With an identity provider it asks the provider at once for its addresses and keys. */
export const createAccountLibrary = async (options: AccountLibraryOptions, provider?: IdentityProvider) => {
  const {
    database,
    peppers,
    publicUrl,
    mailer,
    limit,
    logger,
    onMemberRemoved,
    limitAccount,
    isInvited,
    createInvitationToken,
  } = options
  const secrets = peppers.map(({ version, secret }) => ({ version, value: signInSecret(secret) }))

  const refuseSignIns = createAuthMiddleware(async ({ path, body, headers, context }) => {
    // An ID token from a client was not issued for our nonce, so it could be stolen.
    if (body?.idToken !== undefined) throw new APIError('BAD_REQUEST', { message: 'idToken: must be left out' })
    if (path !== '/sign-in/email' || typeof body?.email !== 'string') return
    const seconds = await limitAccount(body.email, (headers && getIP(headers, context.options)) ?? '')
    if (seconds === undefined) return
    const message = `Too many sign-ins to this account from your address. Try again in ${seconds} s.`
    throw new APIError('TOO_MANY_REQUESTS', { message }, { 'retry-after': String(seconds) })
  })

  /**
   * Follows a link that cannot be mailed, so that a person can change an address without a mail server. The new address is
   * not verified then.
   */
  const follow = async (url: string): Promise<void> => {
    await library.handler(new Request(url, { headers: { [clientAddressHeader]: '127.0.0.1' } }))
  }

  const passkeys = await passkeySignIn(publicUrl)
  const library = betterAuth({
    appName: 'Parlance',
    ...(publicUrl !== undefined && { baseURL: publicUrl }),
    basePath: accountPath,
    secrets,
    database: createActingPool(database.pool),
    ...accountTables,
    // The tokens of an identity provider are not needed after the sign-in.
    account: { ...accountTables.account, updateAccountOnSignIn: false },
    databaseHooks: {
      account: { create: { before: async (account) => ({ data: { ...account, ...noTokens } }) } },
      user: { update: { before: changedAddress(mailer) } },
    },
    session: { ...accountTables.session, expiresIn: sessionLifeSeconds, updateAge: sessionRefreshSeconds },
    user: {
      ...accountTables.user,
      ...(provider !== undefined && { validateUserInfo: refuseUninvited(isInvited) }),
      changeEmail: {
        enabled: true,
        sendChangeEmailConfirmation: ({ user, newEmail, url }) =>
          mailer.canSend ? mailer.confirmEmail(user.email, newEmail, url) : follow(url),
      },
    },
    emailVerification: {
      sendVerificationEmail: ({ user, url }) => (mailer.canSend ? mailer.verifyEmail(user.email, url) : follow(url)),
    },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: passwordSchema.minLength!,
      maxPasswordLength: passwordSchema.maxLength!,
      resetPasswordTokenExpiresIn: linkLifeSeconds,
      revokeSessionsOnPasswordReset: true,
      onPasswordReset: ({ user }): Promise<void> =>
        library.$context.then((context) => verifyByPasswordLink(context, user)),
      async sendResetPassword({ user, token }) {
        const print = printedToken.getStore()
        if (print === undefined) await mailer.resetPassword(user.email, passwordPath(token))
        else print(token)
      },
    },
    plugins: [
      organization({
        schema: organizationTables,
        allowUserToCreateOrganization: false,
        disableOrganizationDeletion: true,
        membershipLimit: 1_000,
        invitationExpiresIn: invitationLifeMs / 1_000,
        cancelPendingInvitationsOnReInvite: true,
        async sendInvitationEmail({ id, email, organization: { name }, inviter }) {
          if (!mailer.canSend) return
          const path = invitationPath(id, await createInvitationToken(id))
          await mailer.invite(email, { path, workspace: name, inviter: inviter.user.name })
        },
        organizationHooks: {
          ...oneRole,
          afterRemoveMember: async ({ member }) => onMemberRemoved(member.organizationId),
        },
      }),
      magicLink({
        disableSignUp: true,
        expiresIn: linkLifeSeconds,
        storeToken: 'hashed',
        sendMagicLink: ({ token }) => printedToken.getStore()?.(token),
      }),
      firstPassword(),
      ...(passkeys === undefined ? [] : [passkeys]),
      ...(provider === undefined ? [] : [providerSignIn(provider)]),
    ],
    hooks: { before: refuseSignIns },
    rateLimit: { enabled: true, ...signInRules, customStorage: limit },
    advanced: {
      ...cookies(publicUrl),
      // The library skips these checks when NODE_ENV is `test`.
      disableCSRFCheck: false,
      disableOriginCheck: false,
      database: { generateId: 'uuid' },
      ipAddress: { ipAddressHeaders: [clientAddressHeader] },
    },
    telemetry: { enabled: false },
    onAPIError: { throw: true, errorURL: signInPagePath },
    logger: {
      // Its warnings are about settings that are left out on purpose, such as an address of the gateway.
      level: 'error',
      log: (_level, message) => logger.error({ component: 'accounts' }, message),
    },
  })
  return library
}
