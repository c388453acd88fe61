import { withTimeout } from '@parlance/async'
import { ServiceError } from '@parlance/contracts'
import { type AccountLibraryOptions, createAccountLibrary } from './account-library.js'
import { discoveryUrlOf, type IdentityProvider, identityProviderId, providerSignInPath } from './identity-provider.js'

/** Shorter than callers wait for this service, so that they get the reason. */
const providerLimitMs = 4_000

type Handler = (request: Request) => Promise<Response>

/**
 * Opens a library that people sign in with by the provider, and resolves to what answers requests of these sign-ins. It is
 * another library than that of all other requests, which so never wait for the provider. Rejects with `unavailable` when
 * the provider does not answer, or is another one; so does the beginning of a sign-in.
 */
export const openProviderLibrary = async (
  options: AccountLibraryOptions,
  provider: IdentityProvider,
): Promise<Handler> => {
  const library = createAccountLibrary(options, provider)
  const unavailable = (reason: string, cause?: unknown): ServiceError => {
    options.logger.error({ component: 'accounts', err: cause }, `OpenID Connect: ${reason}`)
    return new ServiceError('unavailable', `${provider.name} cannot be reached. Try again.`)
  }
  const { socialProviders } = await withTimeout(library.$context, providerLimitMs, () => {
    throw unavailable(`${provider.issuer} did not answer within ${providerLimitMs} ms`)
  })
  const found = socialProviders.find(({ id }) => id === identityProviderId)
  if (found === undefined) throw unavailable(`${provider.issuer} has no usable configuration`)
  if (found.issuer !== provider.issuer)
    throw unavailable(`OIDC_ISSUER is ${provider.issuer}, and the provider names itself ${found.issuer}`)

  /** A browser that goes to a provider which is down leaves the page, and shows an error of its own. */
  const requireAnswer = async (): Promise<void> => {
    const signal = AbortSignal.timeout(providerLimitMs)
    const { ok, status, body } = await fetch(discoveryUrlOf(provider), { signal }).catch((error: unknown) => {
      throw unavailable(`${provider.issuer} does not answer`, error)
    })
    await body?.cancel()
    if (!ok) throw unavailable(`${provider.issuer} answers with status ${status}`)
  }

  return async (request) => {
    const response = await library.handler(request)
    if (response.ok && new URL(request.url).pathname === providerSignInPath) await requireAnswer()
    return response
  }
}
