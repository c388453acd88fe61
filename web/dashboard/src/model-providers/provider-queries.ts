import { useQueryClient } from '@tanstack/react-query'
import { api } from '../api/api.js'
import type { components } from '../api/schema.js'

export type ModelProvider = components['schemas']['ModelProvider']

/** The kinds of providers, in words. */
export const kindNames: Readonly<Record<ModelProvider['kind'], string>> = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  openai_compatible: 'OpenAI-compatible server',
}

const useReload = () => {
  const client = useQueryClient()
  return () => client.invalidateQueries(api.queryOptions('get', '/dashboard/api/providers'))
}

export const useProviders = () => api.useQuery('get', '/dashboard/api/providers')

export const useCreateProvider = () => api.useMutation('post', '/dashboard/api/providers', { onSuccess: useReload() })

export const useDeleteProvider = () =>
  api.useMutation('delete', '/dashboard/api/providers/{providerId}', { onSuccess: useReload() })

export const useTestProvider = () => api.useMutation('post', '/dashboard/api/providers/{providerId}/test')
