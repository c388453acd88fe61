import { useQueryClient } from '@tanstack/react-query'
import { useRouteContext, useRouter } from '@tanstack/react-router'
import type { components } from '../api/schema.js'
import { signedInQuery } from './require-signed-in.js'

export type SignedIn = components['schemas']['SignedIn']
export type Workspace = SignedIn['workspaces'][number]

/** Who is signed in, with the workspaces. For pages below the signed-in layout. */
export const useSignedIn = (): SignedIn => useRouteContext({ from: '/signed-in' }).signedIn

/** The workspace in which the person acts, with the role in it. For pages below the signed-in layout. */
export const useWorkspace = (): Workspace => {
  const { workspace } = useRouteContext({ from: '/signed-in' })
  if (workspace === undefined) throw new Error('the person has no workspace')
  return workspace
}

/** Returns a function that reads again who is signed in, after the person has changed. */
export const useReloadSignedIn = () => {
  const client = useQueryClient()
  const router = useRouter()
  return async () => {
    await client.invalidateQueries(signedInQuery)
    await router.invalidate()
  }
}
