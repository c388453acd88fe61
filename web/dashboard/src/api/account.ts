/** Calls of the account routes. Their paths and bodies are those of better-auth. */
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/browser'
import { isUnauthorized, problemOf, refusalOf } from './problem.js'
import type { components } from './schema.js'

const send = async (path: string, init: RequestInit): Promise<unknown> => {
  const response = await fetch(`/dashboard/auth${path}`, init)
  const body: unknown = await response.json()
  if (!response.ok) throw body
  return body
}

/** Rejects with the body of the error, or with the error of `fetch`. */
const post = (path: string, body: object): Promise<unknown> =>
  send(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

const get = (path: string, query: Record<string, string> = {}): Promise<unknown> =>
  send(`${path}?${new URLSearchParams(query)}`, {})

export type Role = components['schemas']['SignedIn']['workspaces'][number]['role']

export interface Member {
  readonly id: string
  readonly role: Role
  readonly userId: string
  readonly createdAt: string
  readonly user: { readonly name: string; readonly email: string }
}

export interface Invitation {
  readonly id: string
  readonly email: string
  readonly role: Role
  readonly status: 'pending' | 'accepted' | 'rejected' | 'canceled'
  readonly expiresAt: string
}

/** A way in which the person signs in: `credential` is a password, others are providers of identities. */
export interface SignInWay {
  readonly providerId: string
}

/** A passkey of the person: a key that a device or a password manager keeps. */
export interface Passkey {
  readonly id: string
  readonly createdAt: string
}

export const account = {
  /** Rejects with a refusal of the field `password` when no account has this address and this password. */
  signIn: (email: string, password: string) =>
    post('/sign-in/email', { email, password }).catch((error: unknown) => {
      throw isUnauthorized(error) ? refusalOf('password', problemOf(error).detail) : error
    }),
  /**
   * Resolves to the address of the provider, which sends the person back to the path `next`, or to `failed` with an
   * `error`.
   */
  signInBy: async (provider: string, next: string, failed: string) => {
    const body = { provider, callbackURL: next, errorCallbackURL: failed }
    return (await post('/sign-in/social', body)) as { readonly url: string }
  },
  passkeySignInOptions: () =>
    get('/passkey/generate-authenticate-options') as Promise<PublicKeyCredentialRequestOptionsJSON>,
  signInByPasskey: (response: AuthenticationResponseJSON) => post('/passkey/verify-authentication', { response }),
  newPasskeyOptions: () => get('/passkey/generate-register-options') as Promise<PublicKeyCredentialCreationOptionsJSON>,
  addPasskey: (response: RegistrationResponseJSON) => post('/passkey/verify-registration', { response }),
  listPasskeys: () => get('/passkey/list-user-passkeys') as Promise<Passkey[]>,
  removePasskey: (id: string) => post('/passkey/delete-passkey', { id }),
  signOut: () => post('/sign-out', {}),
  signOutEverywhere: () => post('/revoke-sessions', {}),
  requestPasswordReset: (email: string) => post('/request-password-reset', { email }),
  resetPassword: (token: string, newPassword: string) => post('/reset-password', { token, newPassword }),
  listSignInWays: () => get('/list-accounts') as Promise<SignInWay[]>,
  /** For a person who has no password. */
  setPassword: (newPassword: string) => post('/set-password', { newPassword }),
  changePassword: (currentPassword: string, newPassword: string) =>
    post('/change-password', { currentPassword, newPassword, revokeOtherSessions: true }),
  changeName: (name: string) => post('/update-user', { name }),
  changeEmail: (newEmail: string) => post('/change-email', { newEmail, callbackURL: '/account' }),
  /** One for each browser. */
  listSignIns: () => get('/list-sessions') as Promise<readonly object[]>,
  acceptInvitation: (invitationId: string) => post('/organization/accept-invitation', { invitationId }),
}

/** Calls about the members of one workspace. */
export const membersOf = (organizationId: string) => ({
  list: () => get('/organization/list-members', { organizationId, limit: '1000' }) as Promise<{ members: Member[] }>,
  invitations: () => get('/organization/list-invitations', { organizationId }) as Promise<Invitation[]>,
  invite: (email: string, role: Role) =>
    post('/organization/invite-member', { organizationId, email, role }) as Promise<Invitation>,
  cancelInvitation: (invitationId: string) => post('/organization/cancel-invitation', { invitationId }),
  changeRole: (memberId: string, role: Role) =>
    post('/organization/update-member-role', { organizationId, memberId, role }),
  remove: (memberIdOrEmail: string) => post('/organization/remove-member', { organizationId, memberIdOrEmail }),
  leave: () => post('/organization/leave', { organizationId }),
})
