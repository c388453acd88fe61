import { setTimeout as delay } from 'node:timers/promises'
import type { TtlStore } from '@parlance/store'
import { takePermit } from '@parlance/store'
import type { BetterAuthOptions } from 'better-auth'

/** Counts attempts by client address and path, and sign-ins by account. The counts are shared by all replicas. */
export type SignInLimit = NonNullable<NonNullable<BetterAuthOptions['rateLimit']>['customStorage']>

/** The maximum attempts a minute for one account from one client address. */
const signInsPerMinute = 10
/** The attempts from all addresses after which the account is slowed: more than one address can make. */
const unslowedSignInsPerMinute = 30
/** The maximum attempts from one client address while the account is slowed. */
const slowedSignInsPerMinute = 3
/** How long each attempt waits while the account is slowed. */
const slowedByMs = 1_000
/** How long the person is not notified again. */
const warningLifeMs = 24 * 60 * 60 * 1_000

const minuteMs = 60_000

const perMinute = (max: number) => ({ window: 60, max })

/** The limits for each client address and path. */
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
  const [granted, , , nextInMs] = await ttl.run(takePermit, [`account-rate:{${key}}`], [String(max), String(minuteMs)])
  return granted > 0 ? undefined : Math.max(1, Math.ceil(nextInMs / 1_000))
}

/** Rejects with `unavailable` when the store cannot be reached: passwords must not be tried without a limit. */
export const createSignInLimit = (ttl: Pick<TtlStore, 'run'>): SignInLimit => ({
  async consume(key, { max }) {
    const retryAfter = await take(ttl, key, max)
    return { allowed: retryAfter === undefined, retryAfter: retryAfter ?? null }
  },
})

/**
 * Counts an attempt to sign in to an account with a password. Resolves when the password may be checked, or with the seconds to
 * wait when it may not.
 */
export type LimitAccount = (email: string, clientAddress: string) => Promise<number | undefined>

interface AccountLimitOptions {
  readonly ttl: Pick<TtlStore, 'run' | 'setIfAbsent'>
  /** Called at most once a day for an account, which may not exist. */
  onTooMany(email: string): void
  /** Resolves after the given number of ms. */
  readonly wait?: (ms: number) => Promise<unknown>
}

/**
 * Attempts from one address are refused beyond the limit. Attempts from many addresses only slow the account, so that
 * attackers cannot lock the person out. An attempt that is refused does not count for the account.
 */
export const createAccountLimit =
  ({ ttl, onTooMany, wait = delay }: AccountLimitOptions): LimitAccount =>
  async (email, clientAddress) => {
    const account = email.toLowerCase()
    const warn = async () => {
      if (await ttl.setIfAbsent(`sign-in-warning:{${account}}`, '', warningLifeMs)) onTooMany(account)
    }
    const fromAddress = `account:${account} ${clientAddress}`
    const retryAfter = await take(ttl, fromAddress, signInsPerMinute)
    if (retryAfter !== undefined) {
      await warn()
      return retryAfter
    }
    if ((await take(ttl, `account:${account}`, unslowedSignInsPerMinute)) === undefined) return undefined
    await warn()
    const slowedRetryAfter = await take(ttl, `slowed:${fromAddress}`, slowedSignInsPerMinute)
    if (slowedRetryAfter === undefined) await wait(slowedByMs)
    return slowedRetryAfter
  }
