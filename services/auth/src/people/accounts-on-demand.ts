import type { Accounts, AccountsOptions } from './accounts.js'

/** Resolves to the accounts. Rejects as `openAccounts` does; a later call tries again. */
export type OpenedAccounts = () => Promise<Accounts>

/**
 * Opens accounts when they are first asked for. The library takes more than half a second of processor time to load, which
 * a process that no person signs in to does without.
 */
export const openAccountsOnDemand = (options: AccountsOptions): OpenedAccounts => {
  const open = async () => (await import('./accounts.js')).openAccounts(options)
  let opening: Promise<Accounts> | undefined
  return () => {
    opening ??= open().catch((error: unknown) => {
      opening = undefined
      throw error
    })
    return opening
  }
}
