import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { api, fetchApi } from '../api/api.js'
import type { components } from '../api/schema.js'

export type ApiKey = components['schemas']['ApiKey']

export const keysKey = ['keys']

/** Newest first, in pages of 50. */
export const useKeys = () =>
  useInfiniteQuery({
    queryKey: keysKey,
    queryFn: async ({ pageParam, signal }) => {
      const query = { limit: 50, ...(pageParam !== null && { cursor: pageParam }) }
      const { data } = await fetchApi.GET('/dashboard/api/keys', { params: { query }, signal })
      return data!
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })

const useReload = () => {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: keysKey })
}

export const useCreateKey = () => api.useMutation('post', '/dashboard/api/keys', { onSuccess: useReload() })

export const useRevokeKey = () => api.useMutation('delete', '/dashboard/api/keys/{keyId}', { onSuccess: useReload() })
