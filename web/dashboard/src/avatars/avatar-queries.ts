import { useQuery } from '@tanstack/react-query'
import { type Api, fetchApi } from '../api/api.js'
import { allItems } from '../api/lists.js'
import type { components } from '../api/schema.js'

export type Avatar = components['schemas']['Avatar']

/** All avatars. */
export const useAvatars = (api: Api = fetchApi) =>
  useQuery({
    queryKey: ['avatars'],
    queryFn: () =>
      allItems(
        (query) => api.GET('/dashboard/api/v1/avatars', { params: { query } }),
        ({ avatars }) => avatars,
      ),
    staleTime: 60_000,
  })
