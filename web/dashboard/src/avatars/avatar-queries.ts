import { useQuery } from '@tanstack/react-query'
import { allPages } from '../api/all-pages.js'
import { type Api, fetchApi } from '../api/api.js'
import type { components } from '../api/schema.js'

export type Avatar = components['schemas']['Avatar']

/** All avatars. */
export const useAvatars = (api: Api = fetchApi) =>
  useQuery({
    queryKey: ['avatars'],
    queryFn: async () => {
      const pages = await allPages((query) => api.GET('/dashboard/api/v1/avatars', { params: { query } }))
      return pages.flatMap(({ avatars }) => avatars)
    },
    staleTime: 60_000,
  })
