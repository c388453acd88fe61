import { useQuery } from '@tanstack/react-query'
import { allPages } from '../api/all-pages.js'
import { fetchApi } from '../api/api.js'
import type { components } from '../api/schema.js'

export type Voice = components['schemas']['Voice']

/** All voices, the best first. */
export const useVoices = () =>
  useQuery({
    queryKey: ['voices'],
    queryFn: async () => {
      const pages = await allPages((query) => fetchApi.GET('/dashboard/api/v1/voices', { params: { query } }))
      return pages.flatMap(({ voices }) => voices)
    },
    staleTime: 60_000,
  })

/** Resolves to one sentence in the voice, as MP3. */
export const fetchPreview = async (voiceId: string, variant: string): Promise<Blob> => {
  const { data } = await fetchApi.GET('/dashboard/api/v1/voices/{voiceId}/preview', {
    params: { path: { voiceId }, query: { variant } },
    parseAs: 'blob',
  })
  return data as Blob
}
