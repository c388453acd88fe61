import { keepPreviousData, useQueryClient } from '@tanstack/react-query'
import { inPages, itemsPerPage } from '../api/all-pages.js'
import { api } from '../api/api.js'
import type { components } from '../api/schema.js'
import { useReloadSignedIn } from '../session/signed-in.js'

/** A workspace as operators see it. */
export type OperatedWorkspace = components['schemas']['OperatedWorkspace']

const list = '/dashboard/api/operator/workspaces'

/** Oldest first; all when `search` is empty. */
export const useWorkspaces = (search: string) =>
  api.useInfiniteQuery(
    'get',
    list,
    { params: { query: { limit: itemsPerPage, ...(search !== '' && { search }) } } },
    { ...inPages, placeholderData: keepPreviousData },
  )

const useReload = () => {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: ['get', list] })
}

/** The operator may be a member of the workspace, and its capabilities decide which pages there are. */
export const useUpdateWorkspace = () => {
  const reload = useReload()
  const reloadSignedIn = useReloadSignedIn()
  return api.useMutation('patch', '/dashboard/api/operator/workspaces/{workspaceId}', {
    onSuccess: () => Promise.all([reload(), reloadSignedIn()]),
  })
}

export const useGrantCredit = () =>
  api.useMutation('post', '/dashboard/api/operator/workspaces/{workspaceId}/credit-grants', { onSuccess: useReload() })
