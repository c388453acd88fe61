import { useQueryClient } from '@tanstack/react-query'
import { inPages, itemsPerPage } from '../api/all-pages.js'
import { api } from '../api/api.js'
import type { components } from '../api/schema.js'

export type ApiKey = components['schemas']['ApiKey']

const list = '/dashboard/api/keys'
export const keysKey = ['get', list]

/** Newest first. */
export const useKeys = () => api.useInfiniteQuery('get', list, { params: { query: { limit: itemsPerPage } } }, inPages)

const useReload = () => {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: keysKey })
}

export const useCreateKey = () => api.useMutation('post', list, { onSuccess: useReload() })

export const useRevokeKey = () => api.useMutation('delete', '/dashboard/api/keys/{keyId}', { onSuccess: useReload() })
