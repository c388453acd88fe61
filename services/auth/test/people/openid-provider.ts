import type { IncomingMessage, ServerResponse } from 'node:http'
import { startLocalServer } from '@parlance/testing'
import { calculateJwkThumbprint, decodeJwt, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import Provider from 'oidc-provider'

export const client = { id: 'parlance', secret: 'a-secret-of-the-client' }

/** A person as the provider knows one. */
export interface Identity {
  readonly sub: string
  readonly email: string
  readonly email_verified: boolean
  readonly name?: string
}

/** A fault of the provider: the claims of ID tokens are changed, or another key signs them. */
export interface Fault {
  readonly claims?: JWTPayload
  readonly otherKey?: boolean
  /** Sends no ID token at all. */
  readonly noIdToken?: boolean
  /** Fails when codes are exchanged for tokens. */
  readonly noTokens?: boolean
}

const keyPair = async () => {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const jwk = await exportJWK(privateKey)
  return { privateKey, jwk: { ...jwk, alg: 'RS256', use: 'sig', kid: await calculateJwkThumbprint(jwk) } }
}

export interface OpenIdProviderOptions {
  /** Whether it shows its pages, on which a person signs in by the subject or cancels. */
  readonly asks?: boolean
}

/** An OpenID Connect provider at a free port, where the person `identity` signs in, without being asked unless it `asks`. */
export const startOpenIdProvider = async (redirectUri: string, { asks = false }: OpenIdProviderOptions = {}) => {
  const [own, other] = await Promise.all([keyPair(), keyPair()])
  const state: { identity: Identity | undefined; fault: Fault } = { identity: undefined, fault: {} }
  let answer: (request: IncomingMessage, response: ServerResponse) => unknown = () => {}
  const { url: issuer, close } = await startLocalServer((request, response) => answer(request, response))

  const provider = new Provider(issuer, {
    clients: [{ client_id: client.id, client_secret: client.secret, redirect_uris: [redirectUri] }],
    jwks: { keys: [own.jwk] },
    cookies: { keys: ['a-key-of-cookies'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    features: { devInteractions: { enabled: asks } },
    ...(!asks && { interactions: { url: (_, { uid }) => `/interaction/${uid}` } }),
    findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ ...state.identity, sub }) }),
    async loadExistingGrant({ oidc }) {
      const grant = new provider.Grant({ clientId: client.id, accountId: oidc.session!.accountId! })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })

  /** The token of the provider with the fault. */
  const faulty = (idToken: string): Promise<string> => {
    const { privateKey, jwk } = state.fault.otherKey ? other : own
    const header = { alg: 'RS256', kid: state.fault.otherKey ? own.jwk.kid : jwk.kid }
    return new SignJWT({ ...decodeJwt(idToken), ...state.fault.claims }).setProtectedHeader(header).sign(privateKey)
  }
  provider.use(async (ctx, next) => {
    if (ctx.path === '/token' && state.fault.noTokens) {
      ctx.status = 500
      return
    }
    await next()
    const body = ctx.body as { id_token?: string } | undefined
    if (ctx.path !== '/token' || body?.id_token === undefined) return
    if (state.fault.noIdToken) delete body.id_token
    else body.id_token = await faulty(body.id_token)
  })

  const callback = provider.callback()
  answer = (request, response) => {
    if (asks || !request.url!.startsWith('/interaction/')) return callback(request, response)
    const { identity } = state
    const result = identity
      ? { login: { accountId: identity.sub } }
      : { error: 'access_denied', error_description: 'The person did not sign in.' }
    return provider.interactionFinished(request, response, result)
  }

  return {
    issuer,
    /** The person who signs in next; undefined for a person who cancels. */
    signInAs(identity: Identity | undefined, fault: Fault = {}): void {
      Object.assign(state, { identity, fault })
    },
    /** Later calls do nothing. */
    stop: close,
  }
}

export type OpenIdProvider = Awaited<ReturnType<typeof startOpenIdProvider>>

/** Acts as the browser at the provider: follows its redirects, with its cookies, until one leads to `origin`. */
export const followTo = async (origin: string, url: string): Promise<URL> => {
  const cookies = new Map<string, string>()
  let next = new URL(url)
  while (next.origin !== origin) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(next, { redirect: 'manual', headers: { cookie } })
    await response.body?.cancel()
    for (const line of response.headers.getSetCookie()) {
      const [name, value] = line.split(';', 1)[0]!.split('=', 2) as [string, string]
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (location === null) throw new Error(`${next.pathname} answered ${response.status}`)
    next = new URL(location, next)
  }
  return next
}
