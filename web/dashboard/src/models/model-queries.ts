import { type Api, api, useReload } from '../api/api.js'
import type { components, paths } from '../api/schema.js'

export type InstalledModel = components['schemas']['InstalledModel']
export type InstallableModel = components['schemas']['InstallableModel']

const installed = '/dashboard/api/operator/models'

export const useInstalledModels = (options: { readonly enabled?: boolean } = {}) =>
  api.useQuery('get', installed, {}, options)

type FoundRecognizer = paths['/dashboard/api/try/recognizer']['get']['responses'][200]['content']['application/json']
/** A model that a page may install. */
export type OfferedModel = NonNullable<FoundRecognizer['recognizer']>

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

export const useRemoveModel = () =>
  api.useMutation('delete', '/dashboard/api/operator/models/{name}', { onSuccess: useReload(installed) })
