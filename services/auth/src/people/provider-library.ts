import { withTimeout } from '@parlance/async'
import { ServiceError } from '@parlance/contracts'
import { type AccountLibraryOptions, createAccountLibrary } from './account-library.js'
import { discoveryUrlOf, type IdentityProvider, identityProviderId, providerSignInPath } from './identity-provider.js'

/** Shorter than callers wait for this service, so that they get the reason. */
const providerLimitMs = 4_000

type Handler = (request: Request) => Promise<Response>

/**
 * Opens the library for sign-ins by the provider, and resolves with the handler of their requests. It is a separate
 * instance, so that no other request waits for the provider. Rejects with `unavailable` when
 * the provider does not respond or is not the configured one. So does the beginning of a sign-in.
 */
export const openProviderLibrary = async (
  options: AccountLibraryOptions,
  provider: IdentityProvider,
): Promise<Handler> => {
  const library = await createAccountLibrary(options, provider)
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

  /** Checked first, because a browser that is sent to an unavailable provider leaves the page and shows its own error. */
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
