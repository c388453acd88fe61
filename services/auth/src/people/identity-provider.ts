import { isIP } from 'node:net'
import { accountPath } from '@parlance/contracts'
import { type ReadSecret, readSecretSetting, StartupError } from '@parlance/runtime'
import type { AuthEnv } from '../env.js'

/** An OpenID Connect provider with which people sign in. */
export interface IdentityProvider {
  /** The issuer, as in the provider's ID tokens. */
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** On the button "Sign in with …". */
  readonly name: string
}

/** The URL of the provider's discovery document. */
export const discoveryUrlOf = ({ issuer }: Pick<IdentityProvider, 'issuer'>): string =>
  `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`

/** The id of the only provider, at the end of the redirect URL. */
export const identityProviderId = 'oidc'

/** Where a sign-in by the provider begins. */
export const providerSignInPath = `${accountPath}/sign-in/social`

/** Whether a path is one of a sign-in by the provider. */
export const isProviderPath = (path: string): boolean =>
  [providerSignInPath, `${accountPath}/callback/${identityProviderId}`].includes(path)

/** The provider of the settings; undefined where none is set. Throws `StartupError` for incomplete settings. */
export const readIdentityProvider = (settings: AuthEnv, readSecret: ReadSecret): IdentityProvider | undefined => {
  const clientSecret = readSecretSetting(settings, 'OIDC_CLIENT_SECRET', readSecret)
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_NAME: name, PUBLIC_URL: publicUrl } = settings
  if (issuer !== undefined && clientId !== undefined && clientSecret !== undefined && publicUrl !== undefined)
    return { issuer, clientId, clientSecret, name }
  const own = { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret }
  if (Object.values(own).every((value) => value === undefined)) return undefined
  const missing = Object.entries({ ...own, PUBLIC_URL: publicUrl }).flatMap(([key, value]) =>
    value === undefined ? [key] : [],
  )
  throw new StartupError([`OpenID Connect needs ${missing.join(', ')} too.`])
}

/**
 * The domain of passkeys; undefined when passkeys are not possible. Browsers create none for an IP address, and over HTTP
 * only on this machine.
 */
export const relyingPartyOf = (publicUrl: string | undefined): string | undefined => {
  if (publicUrl === undefined) return undefined
  const { protocol, hostname } = new URL(publicUrl)
  const isAddress = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
  return !isAddress && (protocol === 'https:' || hostname === 'localhost') ? hostname : undefined
}
