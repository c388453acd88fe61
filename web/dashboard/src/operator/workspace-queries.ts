import { api, useReload } from '../api/api.js'
import { useList } from '../api/lists.js'
import type { components } from '../api/schema.js'
import { useReloadSignedIn } from '../session/signed-in.js'

/** A workspace as operators see it. */
export type OperatedWorkspace = components['schemas']['OperatedWorkspace']

const list = '/dashboard/api/operator/workspaces'

/** Oldest first; all when `search` is empty. */
export const useWorkspaces = (search: string) =>
  useList(list, { query: search === '' ? {} : { search } }, ({ workspaces }) => workspaces)

/** The operator may be a member of the workspace, and its capabilities decide which pages there are. */
export const useUpdateWorkspace = () => {
  const reload = useReload(list)
  const reloadSignedIn = useReloadSignedIn()
  return api.useMutation('patch', `${list}/{workspaceId}`, {
    onSuccess: () => Promise.all([reload(), reloadSignedIn()]),
  })
}

export const useGrantCredit = () =>
  api.useMutation('post', `${list}/{workspaceId}/credit-grants`, { onSuccess: useReload(list) })
