import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, fetchApi } from '../../api/api.js'
import type { components } from '../../api/schema.js'

export type Recording = NonNullable<components['schemas']['Recording']>

/** How often an unfinished recording is reloaded. */
const unfinishedMs = 3_000

/** Null for a conversation of an Agent that is not recorded. */
export const useRecording = (sessionId: string, isLive: boolean) =>
  api.useQuery(
    'get',
    '/dashboard/api/agent-sessions/{sessionId}/recording',
    { params: { path: { sessionId } } },
    {
      select: ({ recording }) => recording,
      refetchInterval: ({ state }) => (isLive || state.data?.recording?.state === 'recording') && unfinishedMs,
    },
  )

/** Loads the audio of a stored recording once. Its address is valid while the component is shown. */
export const useAudioUrl = (sessionId: string) => {
  const query = useQuery({
    queryKey: ['recording-audio', sessionId],
    queryFn: async () => {
      const { data } = await fetchApi.GET('/dashboard/api/agent-sessions/{sessionId}/recording/audio', {
        params: { path: { sessionId } },
        parseAs: 'blob',
      })
      return data as Blob
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (query.data === undefined) return
    const made = URL.createObjectURL(query.data)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [query.data])
  return { url, query }
}
