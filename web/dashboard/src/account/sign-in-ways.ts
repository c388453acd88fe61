import { account, type SignInWay } from '../api/account.js'

/** The ways in which the person can sign in again. There is none for a person who came by a link alone. */
export const signInWaysQuery = {
  queryKey: ['sign-in-ways'],
  queryFn: account.listSignInWays,
  staleTime: 60_000,
}

export const hasPassword = (ways: readonly SignInWay[]): boolean =>
  ways.some(({ providerId }) => providerId === 'credential')

/** Of the form on the page "Account", to which other pages lead. */
export const passwordFormId = 'password'
