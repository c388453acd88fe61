import { useQuery } from '@tanstack/react-query'
import { allPages } from '../api/all-pages.js'
import { type Api, fetchApi } from '../api/api.js'
import type { Problem } from '../api/problem.js'
import type { components } from '../api/schema.js'

export type Voice = components['schemas']['Voice']

/** Resolves to all voices, the best first. */
export const listVoices = async (api: Api): Promise<Voice[]> => {
  const pages = await allPages((query) => api.GET('/dashboard/api/v1/voices', { params: { query } }))
  return pages.flatMap(({ voices }) => voices)
}

export const isAvailable = ({ status }: Voice): boolean => status === 'available'

/** Models are loaded one after the other, and a busy machine takes a while for one. */
const announceWithinMs = 120_000
const askEveryMs = 500

const notAnnounced: Problem = {
  code: 'unavailable',
  detail: 'The voice is installed, but does not speak yet. The command npx parlance models verify shows why.',
  retryable: true,
}

/**
 * Resolves to all voices, and the one that was installed, as soon as it can speak. Rejects with a problem, or with the reason of
 * the signal.
 */
export const awaitVoice = async (
  api: Api,
  isInstalled: (voice: Voice) => boolean,
  signal?: AbortSignal,
): Promise<{ voices: Voice[]; added: Voice }> => {
  const deadlineMs = performance.now() + announceWithinMs
  while (performance.now() < deadlineMs) {
    const voices = await listVoices(api)
    signal?.throwIfAborted()
    const added = voices.find((voice) => isAvailable(voice) && isInstalled(voice))
    if (added !== undefined) return { voices, added }
    await new Promise((resolve) => setTimeout(resolve, askEveryMs))
    signal?.throwIfAborted()
  }
  throw notAnnounced
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
