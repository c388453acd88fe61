import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { fetchApi } from '../../api/api.js'
import type { paths } from '../../api/schema.js'

export type Evaluation =
  paths['/dashboard/api/agents/{agentId}/evaluation']['get']['responses']['200']['content']['application/json']
export type Criterion = Evaluation['criteria'][number]
export type DataPoint = Evaluation['data'][number]

const keyOf = (agentId: string) => ['evaluation', agentId]

/** What is judged after the conversations of the Agent. */
export const useEvaluation = (agentId: string) =>
  useQuery({
    queryKey: keyOf(agentId),
    queryFn: async () => {
      const { data } = await fetchApi.GET('/dashboard/api/agents/{agentId}/evaluation', {
        params: { path: { agentId } },
      })
      return data!
    },
  })

/** Saves it whole. */
export const usePutEvaluation = (agentId: string) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (body: Evaluation) => {
      const { data } = await fetchApi.PUT('/dashboard/api/agents/{agentId}/evaluation', {
        params: { path: { agentId } },
        body,
      })
      return data!
    },
    onSuccess: (saved) => client.setQueryData(keyOf(agentId), saved),
  })
}
