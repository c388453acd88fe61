import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/api.js'
import type { paths } from '../../api/schema.js'

const path = '/dashboard/api/agents/{agentId}/evaluation'

type Evaluation = paths[typeof path]['get']['responses']['200']['content']['application/json']
export type Criterion = Evaluation['criteria'][number]
export type DataPoint = Evaluation['data'][number]

/** What is judged after the conversations of the Agent. */
export const useEvaluation = (agentId: string) => api.useQuery('get', path, { params: { path: { agentId } } })

/** Saves it whole. */
export const usePutEvaluation = (agentId: string) => {
  const client = useQueryClient()
  const { queryKey } = api.queryOptions('get', path, { params: { path: { agentId } } })
  return api.useMutation('put', path, { onSuccess: (saved) => client.setQueryData(queryKey, saved) })
}
