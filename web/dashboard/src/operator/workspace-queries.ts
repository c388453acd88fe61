import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { api, fetchApi } from '../api/api.js'
import type { components } from '../api/schema.js'
import { useReloadSignedIn } from '../session/use-reload-signed-in.js'

/** A workspace as operators see it. */
export type OperatedWorkspace = components['schemas']['OperatedWorkspace']

const workspacesPerPage = 50
const listKey = ['operator', 'workspaces']

/** Oldest first, in pages of 50; all when `search` is empty. */
export const useWorkspaces = (search: string) =>
  useInfiniteQuery({
    queryKey: [...listKey, search],
    queryFn: async ({ pageParam, signal }) => {
      const query = {
        limit: workspacesPerPage,
        ...(search !== '' && { search }),
        ...(pageParam !== null && { cursor: pageParam }),
      }
      const { data } = await fetchApi.GET('/dashboard/api/operator/workspaces', { params: { query }, signal })
      return data!
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    placeholderData: keepPreviousData,
  })

const useReload = () => {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: listKey })
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
