/** Sign-ins by an OpenID Connect provider, as the library's plugin for such providers does them. */
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
        // An ID token counts with the provider's signature, its issuer, this client and the nonce of the sign-in.
        requireIdTokenVerification: true,
        // A subject is unique at its issuer alone: after a change of the provider it is another person.
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
 * Lets in people who are known, and those with a pending invitation. The provider must have verified the address, since
 * the address decides who a person is when the provider's identity is new here.
 */
export const refuseUninvited =
  (isInvited: (email: string) => Promise<boolean>): ValidateUserInfo =>
  async ({ user, source }) => {
    if (source.method !== 'oauth' || source.action === 'sign-in') return
    if (user.emailVerified !== true || user.email === undefined) return { error: 'email_not_verified' }
    if (source.action === 'create-user' && !(await isInvited(user.email))) return { error: 'not_invited' }
  }
