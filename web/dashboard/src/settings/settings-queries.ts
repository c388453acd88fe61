import { useQueryClient } from '@tanstack/react-query'
import { api } from '../api/api.js'
import type { components } from '../api/schema.js'
import { useReloadSignedIn } from '../session/signed-in.js'

export type Settings = components['schemas']['Settings']

export const useSettings = () => api.useQuery('get', '/dashboard/api/settings')

/** The name of the workspace is on every page. */
export const useRename = () => {
  const client = useQueryClient()
  const reloadSignedIn = useReloadSignedIn()
  return api.useMutation('patch', '/dashboard/api/settings', {
    onSuccess: async () => {
      await client.invalidateQueries(api.queryOptions('get', '/dashboard/api/settings'))
      await reloadSignedIn()
    },
  })
}
