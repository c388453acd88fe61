import { api, useReload } from '../api/api.js'
import type { components, paths } from '../api/schema.js'

export type ModelProvider = components['schemas']['ModelProvider']

const list = '/dashboard/api/providers'

type ModelServers = paths['/dashboard/api/model-servers']['get']['responses'][200]['content']['application/json']
export type FoundServer = ModelServers['found'][number]

/** Servers that a person starts meanwhile appear. */
const findEveryMs = 10_000

export const useModelServers = () =>
  api.useQuery('get', '/dashboard/api/model-servers', {}, { refetchInterval: findEveryMs })

/** The models of a provider; undefined for no provider. */
export const useProviderModels = (providerId: string | undefined) =>
  api.useQuery(
    'get',
    '/dashboard/api/providers/{providerId}/models',
    { params: { path: { providerId: providerId ?? '' } } },
    { enabled: providerId !== undefined, staleTime: 60_000 },
  )

export const useProviders = () => api.useQuery('get', list, {}, { select: ({ providers }) => providers })

export const useCreateProvider = () => api.useMutation('post', list, { onSuccess: useReload(list) })

export const useDeleteProvider = () =>
  api.useMutation('delete', '/dashboard/api/providers/{providerId}', { onSuccess: useReload(list) })

export const useTestProvider = () => api.useMutation('post', '/dashboard/api/providers/{providerId}/test')
