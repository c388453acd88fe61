import { useMutation } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { fetchApi } from '../../api/api.js'
import type { paths } from '../../api/schema.js'

type TestTool = paths['/dashboard/api/agents/{agentId}/tool-tests']['post']
export type TriedCall = TestTool['requestBody']['content']['application/json']
export type ToolResult = TestTool['responses'][200]['content']['application/json']

/** Calls a tool of the Agent whose editor is open, as a conversation would. */
export const useTryTool = () => {
  const { agentId } = useParams({ from: '/signed-in/agents/$agentId' })
  return useMutation({
    mutationFn: async (body: TriedCall): Promise<ToolResult> => {
      const { data } = await fetchApi.POST('/dashboard/api/agents/{agentId}/tool-tests', {
        params: { path: { agentId } },
        body,
      })
      return data!
    },
  })
}
