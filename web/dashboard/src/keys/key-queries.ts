import { api, useReload } from '../api/api.js'
import { useList } from '../api/lists.js'
import type { components } from '../api/schema.js'

export type ApiKey = components['schemas']['ApiKey']

const list = '/dashboard/api/keys'

/** Newest first. */
export const useKeys = () => useList(list, {}, ({ keys }) => keys)

export const useCreateKey = () => api.useMutation('post', list, { onSuccess: useReload(list) })

export const useRevokeKey = () =>
  api.useMutation('delete', '/dashboard/api/keys/{keyId}', { onSuccess: useReload(list) })
