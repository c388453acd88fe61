import { account, type SignInWay } from '../api/account.js'

/** The ways in which the person can sign in again. Empty for a person who has only signed in by a link. */
export const signInWaysQuery = {
  queryKey: ['sign-in-ways'],
  queryFn: account.listSignInWays,
  staleTime: 60_000,
}

export const hasPassword = (ways: readonly SignInWay[]): boolean =>
  ways.some(({ providerId }) => providerId === 'credential')

/** The fragment of the form on the page "Account", to which other pages link. */
export const passwordFormId = 'password'
