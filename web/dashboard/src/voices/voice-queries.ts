import { useQuery } from '@tanstack/react-query'
import { type Api, fetchApi } from '../api/api.js'
import { allItems } from '../api/lists.js'
import type { components } from '../api/schema.js'

export type Voice = components['schemas']['Voice']

/** Resolves to all voices, the best first. */
export const listVoices = (api: Api): Promise<Voice[]> =>
  allItems(
    (query) => api.GET('/dashboard/api/v1/voices', { params: { query } }),
    ({ voices }) => voices,
  )

export const isAvailable = ({ status }: Voice): boolean => status === 'available'

/** Resolves to the best voice that speaks a language, a BCP 47 tag; undefined when none is available. */
export const findVoice = async (api: Api, language: string): Promise<Voice | undefined> => {
  const query = { limit: 100, language }
  const { data } = await api.GET('/dashboard/api/v1/voices', { params: { query } })
  return data!.voices.find(isAvailable)
}

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
