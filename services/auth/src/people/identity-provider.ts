import { accountPath } from '@parlance/contracts'
import { type ReadSecret, readSecretSetting, StartupError } from '@parlance/runtime'
import type { AuthEnv } from '../env.js'

/** An OpenID Connect provider with which people sign in. */
export interface IdentityProvider {
  /** As the provider names itself in its ID tokens. */
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** On the button "Sign in with …". */
  readonly name: string
}

/** Where the provider describes itself. */
export const discoveryUrlOf = ({ issuer }: Pick<IdentityProvider, 'issuer'>): string =>
  `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`

/** There is one provider at most. The address to which it sends people back ends with this. */
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
