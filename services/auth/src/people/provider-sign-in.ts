/** Sign-ins by an OpenID Connect provider, with the library's plugin. */
import type { BetterAuthOptions } from 'better-auth'
import { genericOAuth } from 'better-auth/plugins/generic-oauth'
import { discoveryUrlOf, type IdentityProvider, identityProviderId } from './identity-provider.js'

const maxNameLength = 200

const nameOf = (name: unknown, email: unknown): string =>
  (typeof name === 'string' && name.trim()) || String(email).split('@', 1)[0]!

export const providerSignIn = ({ issuer, clientId, clientSecret, name }: IdentityProvider) =>
  genericOAuth({
    config: [
      {
        providerId: identityProviderId,
        name,
        discoveryUrl: discoveryUrlOf({ issuer }),
        clientId,
        clientSecret,
        authentication: 'basic',
        scopes: ['openid', 'email', 'profile'],
        // An ID token is valid only with the provider's signature, its issuer, this client and the nonce of the sign-in.
        requireIdTokenVerification: true,
        // A subject is unique only at its issuer, so the same subject at another provider is another person.
        accountSubject({ tokens, profile }) {
          if (tokens.idToken === undefined) throw new Error('the provider sent no ID token')
          return `${issuer} ${profile.sub}`
        },
        mapProfileToUser: (profile) => ({ name: nameOf(profile.name, profile.email).slice(0, maxNameLength) }),
      },
    ],
  })

type ValidateUserInfo = NonNullable<NonNullable<BetterAuthOptions['user']>['validateUserInfo']>

/**
 * Admits known people and those with a pending invitation. The provider must have verified the address, since
 * the address decides who a person is when the provider's identity is new here.
 */
export const refuseUninvited =
  (isInvited: (email: string) => Promise<boolean>): ValidateUserInfo =>
  async ({ user, source }) => {
    if (source.method !== 'oauth' || source.action === 'sign-in') return
    if (user.emailVerified !== true || user.email === undefined) return { error: 'email_not_verified' }
    if (source.action === 'create-user' && !(await isInvited(user.email))) return { error: 'not_invited' }
  }
