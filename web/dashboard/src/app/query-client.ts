import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { isUnauthorized, problemOf } from '../api/problem.js'
import { currentWorkspaceId } from '../session/current-workspace.js'
import { signInAgain } from '../session/sign-in-again.js'

const freshMs = 10_000
const maxRetries = 2

/** Redirects to the sign-in page when the sign-in has ended. */
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
