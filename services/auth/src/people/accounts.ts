/**
 * Passwords, sign-ins, links and invitations. better-auth with its organization plugin carries all of them; the files of
 * this folder alone call the library. There is no public sign-up: an operator adds a person, or a member with the right
 * invites one.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { hkdfSync } from 'node:crypto'
import type { Peppers } from '@parlance/clients/api-key'
import { accountPath, passwordSchema } from '@parlance/contracts'
import type { Platform } from '@parlance/runtime'
import type { Database } from '@parlance/store'
import { type BetterAuthOptions, betterAuth } from 'better-auth'
import { APIError, createAuthMiddleware } from 'better-auth/api'
import { magicLink } from 'better-auth/plugins/magic-link'
import { organization } from 'better-auth/plugins/organization'
import { createActingPool, whileActing } from '../audit/acting-person.js'
import { invitationLifeMs, invitationPath, linkLifeMs, passwordPath, signInPath } from './account-links.js'
import { clientAddressHeader } from './account-request.js'
import { accountTables, organizationTables } from './account-tables.js'
import { firstPassword } from './first-password.js'
import type { Mailer } from './mail/mailer.js'
import { type SignInLimit, signInRules } from './sign-in-limit.js'

export interface AccountsOptions {
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
  /** Resolves to the seconds to wait when too many sign-ins to this account were tried. */
  limitAccount(email: string): Promise<number | undefined>
}

export interface NewPerson {
  readonly email: string
  readonly name: string
  readonly password?: string
}

export interface SignedIn {
  readonly personId: string
  readonly email: string
  readonly name: string
}

const linkLifeSeconds = linkLifeMs / 1_000
const sessionLifeSeconds = 14 * 24 * 60 * 60
const sessionRefreshSeconds = 24 * 60 * 60

/** Receives the token of a link that an operator asked for, in place of the mail. */
const printedToken = new AsyncLocalStorage<(token: string) => void>()

/** A secret of its own for another purpose, so that an installation needs no further one. */
const signInSecret = (pepper: string): string =>
  Buffer.from(hkdfSync('sha256', pepper, '', 'parlance sign-ins', 32)).toString('base64url')

const cookies = (publicUrl: string | undefined): NonNullable<BetterAuthOptions['advanced']> => {
  const secure = publicUrl?.startsWith('https:') ?? false
  return {
    // The prefix `__Host-` is used instead of the library's `__Secure-`.
    useSecureCookies: false,
    cookiePrefix: secure ? '__Host-parlance' : 'parlance',
    defaultCookieAttributes: { secure, httpOnly: true, sameSite: 'lax', path: '/' },
  }
}

/** The library throws its refusals, as it does all errors. */
const responseOf = (error: unknown): Response => {
  if (!(error instanceof APIError)) throw error
  return Response.json(error.body ?? null, { status: error.statusCode, headers: new Headers(error.headers) })
}

export const openAccounts = async (options: AccountsOptions) => {
  const { database, peppers, publicUrl, mailer, limit, logger, onMemberRemoved, limitAccount } = options
  const secrets = peppers.map(({ version, secret }) => ({ version, value: signInSecret(secret) }))

  const refuseTooManySignIns = createAuthMiddleware(async ({ path, body }) => {
    if (path !== '/sign-in/email' || typeof body?.email !== 'string') return
    const seconds = await limitAccount(body.email)
    if (seconds === undefined) return
    const message = `Too many sign-ins to this account. Try again in ${seconds} s.`
    throw new APIError('TOO_MANY_REQUESTS', { message }, { 'retry-after': String(seconds) })
  })

  /** Follows a link that no mail server would send, so that a person can change an address without one. */
  const follow = async (url: string): Promise<void> => {
    await library.handler(new Request(url, { headers: { [clientAddressHeader]: '127.0.0.1' } }))
  }

  const library = betterAuth({
    appName: 'Parlance',
    ...(publicUrl !== undefined && { baseURL: publicUrl }),
    basePath: accountPath,
    secrets,
    database: createActingPool(database.pool) as Database['pool'],
    ...accountTables,
    session: { ...accountTables.session, expiresIn: sessionLifeSeconds, updateAge: sessionRefreshSeconds },
    user: {
      ...accountTables.user,
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
        sendInvitationEmail: ({ id, email, organization: { name }, inviter }) =>
          mailer.invite(email, { path: invitationPath(id), workspace: name, inviter: inviter.user.name }),
        organizationHooks: {
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
    ],
    hooks: { before: refuseTooManySignIns },
    rateLimit: { enabled: true, ...signInRules, customStorage: limit },
    advanced: {
      ...cookies(publicUrl),
      // The library leaves these checks out where NODE_ENV is `test`.
      disableCSRFCheck: false,
      disableOriginCheck: false,
      database: { generateId: 'uuid' },
      ipAddress: { ipAddressHeaders: [clientAddressHeader] },
    },
    telemetry: { enabled: false },
    onAPIError: { throw: true },
    logger: {
      // Its warnings are about settings that are left out on purpose, such as an address of the gateway.
      level: 'error',
      log: (_level, message) => logger.error({ component: 'accounts' }, message),
    },
  })

  const context = await library.$context
  // Links for operators are made without a request, and the library builds an address in vain. Requests have their own.
  context.baseURL ||= `http://localhost${accountPath}`
  const { internalAdapter, password } = context

  const printed = async (work: () => Promise<unknown>): Promise<string> => {
    let token: string | undefined
    const keep = (given: string) => {
      token = given
    }
    await printedToken.run(keep, work)
    if (token === undefined) throw new Error('the library made no link')
    return token
  }

  const signedIn = async (cookie: string): Promise<SignedIn | undefined> => {
    const found = await library.api.getSession({ headers: new Headers({ cookie }), query: { disableRefresh: true } })
    return found === null ? undefined : { personId: found.user.id, email: found.user.email, name: found.user.name }
  }

  return {
    /** Answers a request to one of the library's routes. A refusal is a response. Rejects with errors of `pg`. */
    async handle(request: Request): Promise<Response> {
      const answer = () => library.handler(request).catch(responseOf)
      const changesMembers = request.method === 'POST' && new URL(request.url).pathname.includes('/organization/')
      const person = changesMembers ? await signedIn(request.headers.get('cookie') ?? '') : undefined
      return person === undefined ? answer() : whileActing(person.personId, answer)
    },

    /** The person who is signed in by a `Cookie` header. */
    signedIn,

    /**
     * Makes a person, with a password where one is given. The address counts as verified: an operator gave it, or the
     * person has received an invitation there. Resolves to the id.
     */
    async createPerson({ password: chosen, ...person }: NewPerson): Promise<string> {
      const { id } = await internalAdapter.createUser({ ...person, emailVerified: true }, { method: 'admin' })
      if (chosen !== undefined) {
        const hash = await password.hash(chosen)
        await internalAdapter.linkAccount({ userId: id, providerId: 'credential', accountId: id, password: hash })
      }
      return id
    },

    /** The path of a link that signs a person in once. */
    async createSignInPath(email: string): Promise<string> {
      const token = await printed(() => library.api.signInMagicLink({ body: { email }, headers: new Headers() }))
      return signInPath(token)
    },

    /** The path of the page on which a person chooses a new password. */
    async createPasswordPath(email: string): Promise<string> {
      const token = await printed(() => library.api.requestPasswordReset({ body: { email } }))
      return passwordPath(token)
    },

    /** Ends all sign-ins of a person. */
    signOutEverywhere: (personId: string): Promise<void> => internalAdapter.deleteUserSessions(personId),

    options: library.options as BetterAuthOptions,
  }
}

export type Accounts = Awaited<ReturnType<typeof openAccounts>>
