import type { TtlStore } from '@parlance/store'
import { takePermits } from '@parlance/store'
import type { BetterAuthOptions } from 'better-auth'

/** Counts attempts by client address and path, and sign-ins by account. The counts are shared by all replicas. */
export type SignInLimit = NonNullable<NonNullable<BetterAuthOptions['rateLimit']>['customStorage']>

/** A password is tried this often in a minute at most, for one account, from all addresses together. */
const signInsPerMinute = 10

const perMinute = (max: number) => ({ window: 60, max })

/** For each client address and path. */
export const signInRules = {
  ...perMinute(300),
  customRules: {
    '/get-session': false,
    '/sign-in/*': perMinute(30),
    '/callback/*': perMinute(30),
    '/passkey/verify-authentication': perMinute(30),
    '/request-password-reset': perMinute(10),
    '/reset-password': perMinute(10),
    '/magic-link/verify': perMinute(30),
  },
} as const satisfies BetterAuthOptions['rateLimit']

const take = async (ttl: Pick<TtlStore, 'run'>, key: string, max: number) => {
  const [granted, , , nextInMs] = await ttl.run(takePermits, [`account-rate:{${key}}`], [String(max), '1'])
  return granted > 0 ? undefined : Math.max(1, Math.ceil(nextInMs / 1_000))
}

/** Rejects with `unavailable` when the store cannot be reached: passwords must not be tried without a limit. */
export const createSignInLimit = (ttl: Pick<TtlStore, 'run'>): SignInLimit => ({
  async consume(key, { max }) {
    const retryAfter = await take(ttl, key, max)
    return { allowed: retryAfter === undefined, retryAfter: retryAfter ?? null }
  },
})

/** Counts an attempt to sign in to an account. Resolves to the seconds to wait when there were too many. */
export const limitAccount = (ttl: Pick<TtlStore, 'run'>, email: string): Promise<number | undefined> =>
  take(ttl, `account:${email.toLowerCase()}`, signInsPerMinute)
