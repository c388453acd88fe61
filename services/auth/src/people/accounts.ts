/**
 * Passwords, sign-ins, links and invitations. better-auth implements them; only the files of this folder call the
 * library.
 */
import { accountPath, ServiceError } from '@parlance/contracts'
import type { BetterAuthOptions } from 'better-auth'
import { APIError } from 'better-auth/api'
import { whileActing } from '../audit/acting-person.js'
import { onDemand } from '../on-demand.js'
import { type AccountLibraryOptions, createAccountLibrary, printedToken } from './account-library.js'
import { passwordPath, signInPath } from './account-links.js'
import { type IdentityProvider, isProviderPath } from './identity-provider.js'
import { openProviderLibrary } from './provider-library.js'

interface AccountsOptions extends AccountLibraryOptions {
  /** With which people may sign in besides passwords and links. */
  readonly provider: IdentityProvider | undefined
}

interface NewPerson {
  readonly email: string
  readonly name: string
  readonly password?: string
  /** Whether an operator gave the address, or the person has proven to receive mail there. */
  readonly isVerified: boolean
}

export interface SignedIn {
  readonly personId: string
  readonly email: string
  readonly name: string
}

/** The library throws its refusals, as it does all errors. */
const responseOf = (error: unknown): Response => {
  if (!(error instanceof APIError)) throw error
  return Response.json(error.body ?? null, { status: error.statusCode, headers: new Headers(error.headers) })
}

export const openAccounts = async ({ provider, ...options }: AccountsOptions) => {
  const library = await createAccountLibrary(options)
  const context = await library.$context
  // Links for operators are created without a request, so the library needs a base URL, which is not used.
  context.baseURL ||= `http://localhost${accountPath}`
  const { internalAdapter, password } = context

  const openProvider = onDemand(async () => {
    if (provider === undefined) throw new ServiceError('not_found', 'There is nothing at this path.')
    return openProviderLibrary(options, provider)
  })

  const printed = async (work: () => Promise<unknown>): Promise<string> => {
    let token: string | undefined
    const keep = (given: string) => {
      token = given
    }
    await printedToken.run(keep, work)
    if (token === undefined) throw new Error('the library created no link')
    return token
  }

  const signedIn = async (cookie: string): Promise<SignedIn | undefined> => {
    const found = await library.api.getSession({ headers: new Headers({ cookie }), query: { disableRefresh: true } })
    return found === null ? undefined : { personId: found.user.id, email: found.user.email, name: found.user.name }
  }

  return {
    /** Answers a request to one of the library's routes. A refusal is a response. Rejects with errors of `pg`. */
    async handle(request: Request): Promise<Response> {
      const { pathname } = new URL(request.url)
      const handler = isProviderPath(pathname) ? await openProvider() : library.handler
      const answer = () => handler(request).catch(responseOf)
      const changesMembers = request.method === 'POST' && pathname.includes('/organization/')
      const person = changesMembers ? await signedIn(request.headers.get('cookie') ?? '') : undefined
      return person === undefined ? answer() : whileActing(person.personId, answer)
    },

    /** The person who is signed in by a `Cookie` header. */
    signedIn,

    /** Makes a person, with a password where one is given. Resolves to the id. */
    async createPerson({ password: chosen, isVerified, ...person }: NewPerson): Promise<string> {
      const { id } = await internalAdapter.createUser({ ...person, emailVerified: isVerified }, { method: 'admin' })
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
