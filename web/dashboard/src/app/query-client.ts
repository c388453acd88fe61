import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { isUnauthorized, problemOf } from '../api/problem.js'
import { currentWorkspaceId } from '../session/current-workspace.js'
import { signInAgain } from '../session/sign-in-again.js'

const freshMs = 10_000
const maxRetries = 2

/** A sign-in that has ended meanwhile leads to the page on which to sign in. */
const onError = (error: unknown): void => {
  const wasSignedIn = currentWorkspaceId() !== undefined
  if (wasSignedIn && isUnauthorized(error)) signInAgain()
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: freshMs,
      retry: (failures, error) => failures < maxRetries && problemOf(error).retryable,
    },
  },
})
