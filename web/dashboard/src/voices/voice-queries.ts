import { useQuery } from '@tanstack/react-query'
import { allPages } from '../api/all-pages.js'
import { type Api, fetchApi } from '../api/api.js'
import type { components } from '../api/schema.js'

export type Voice = components['schemas']['Voice']

/** Resolves to all voices, the best first. */
export const listVoices = async (api: Api): Promise<Voice[]> => {
  const pages = await allPages((query) => api.GET('/dashboard/api/v1/voices', { params: { query } }))
  return pages.flatMap(({ voices }) => voices)
}

export const isAvailable = ({ status }: Voice): boolean => status === 'available'

/** All voices, the best first. */
export const useVoices = () =>
  useQuery({ queryKey: ['voices'], queryFn: () => listVoices(fetchApi), staleTime: 60_000 })

/** Resolves to one sentence in the voice, as MP3. */
export const fetchPreview = async (api: Api, voiceId: string, variant: string): Promise<Blob> => {
  const { data } = await api.GET('/dashboard/api/v1/voices/{voiceId}/preview', {
    params: { path: { voiceId }, query: { variant } },
    parseAs: 'blob',
  })
  return data as Blob
}
