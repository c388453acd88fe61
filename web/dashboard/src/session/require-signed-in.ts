import type { QueryClient } from '@tanstack/react-query'
import { redirect } from '@tanstack/react-router'
import { api } from '../api/api.js'
import { isUnauthorized } from '../api/problem.js'
import { enterWorkspace, hasLeftWorkspace } from './current-workspace.js'

/** Shared by pages that are opened in quick succession. */
export const signedInQuery = api.queryOptions('get', '/dashboard/api/signed-in', {}, { staleTime: 60_000 })

/**
 * Resolves to who is signed in, and the workspace in which the person acts. Without a sign-in it leads to the page on which
 * to sign in, with the reason when a link brought the person here that could not be used.
 */
export const requireSignedIn = async (
  queryClient: QueryClient,
  { href, search }: { readonly href: string; readonly search: { error?: unknown } },
) => {
  const signedIn = await queryClient.fetchQuery(signedInQuery).catch((error: unknown) => {
    if (!isUnauthorized(error)) throw error
    const failed = typeof search.error === 'string'
    throw redirect({ to: '/sign-in', search: failed ? { error: 'link' } : { next: href }, replace: true })
  })
  // The cache must not keep data of another person.
  if (hasLeftWorkspace(signedIn.workspaces)) throw redirect({ href: '/', reloadDocument: true })
  return { signedIn, workspace: enterWorkspace(signedIn.workspaces) }
}
