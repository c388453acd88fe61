import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type Api, api, fetchApi } from '../api/api.js'
import { type InstallEvent, readInstallEvents } from '../api/install-events.js'
import type { components } from '../api/schema.js'

export type InstalledModel = components['schemas']['InstalledModel']
export type InstallableModel = components['schemas']['InstallableModel']

export const useInstalledModels = (options: { readonly enabled?: boolean } = {}) =>
  api.useQuery('get', '/dashboard/api/operator/models', {}, options)

/** The catalog comes with Parlance, so it does not change while the page is open. */
export const useInstallableModels = (options: { readonly enabled?: boolean } = {}) =>
  api.useQuery(
    'get',
    '/dashboard/api/operator/model-catalog',
    { params: { query: { languages: navigator.languages.join(',') } } },
    { ...options, staleTime: Number.POSITIVE_INFINITY },
  )

/** Resolves to what the installation offers where speech in a language, a BCP 47 tag, is not recognized; to null where it is. */
export const findRecognizer = async (api: Api, language: string) => {
  const { data } = await api.GET('/dashboard/api/try/recognizer', { params: { query: { language } } })
  return data ?? null
}

const useReload = () => {
  const client = useQueryClient()
  return () => client.invalidateQueries(api.queryOptions('get', '/dashboard/api/operator/models'))
}

export const useRemoveModel = () =>
  api.useMutation('delete', '/dashboard/api/operator/models/{name}', { onSuccess: useReload() })

/** Installs a model. `event` is the latest event. The installation stops when the component is unmounted. */
export const useInstallModel = () => {
  const [event, setEvent] = useState<InstallEvent>()
  const stopping = useRef<AbortController>(undefined)
  useEffect(() => () => stopping.current?.abort(), [])
  const install = useMutation({
    mutationFn: async (name: string) => {
      setEvent(undefined)
      stopping.current = new AbortController()
      const { data } = await fetchApi.POST('/dashboard/api/operator/models', {
        body: { name, accept_license: true },
        parseAs: 'stream',
        signal: stopping.current.signal,
      })
      await readInstallEvents(data as unknown as ReadableStream<Uint8Array>, setEvent)
    },
    onSuccess: useReload(),
  })
  return { ...install, event }
}
