import { useQueryClient } from '@tanstack/react-query'
import { api } from '../api/api.js'
import type { components } from '../api/schema.js'

export type ApiKey = components['schemas']['ApiKey']

const useReload = () => {
  const client = useQueryClient()
  return () => client.invalidateQueries(api.queryOptions('get', '/dashboard/api/keys'))
}

export const useCreateKey = () => api.useMutation('post', '/dashboard/api/keys', { onSuccess: useReload() })

export const useRevokeKey = () => api.useMutation('delete', '/dashboard/api/keys/{keyId}', { onSuccess: useReload() })
