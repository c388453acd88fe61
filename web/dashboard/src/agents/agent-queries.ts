import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { fetchApi } from '../api/api.js'
import { useList } from '../api/lists.js'
import type { Agent, Publication, PublishCheck } from './agent.js'
import type { AgentFilter } from './agent-filter.js'

/** Newest first. */
export const useAgentList = (filter: AgentFilter) =>
  useList('/dashboard/api/v1/agents', { query: filter }, ({ agents }) => agents as Agent[])

const agentKey = (agentId: string) => ['agent', agentId]

/** Loads once, when a page begins to show the Agent, so that it does not change while a person edits it. */
export const useAgent = (agentId: string) =>
  useQuery({
    queryKey: agentKey(agentId),
    queryFn: async () => {
      const { data } = await fetchApi.GET('/dashboard/api/v1/agents/{agentId}', { params: { path: { agentId } } })
      return data as Agent
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })

/** Returns a function that keeps a saved Agent for the page that is opened next. */
export const useKeepAgent = () => {
  const client = useQueryClient()
  return (agent: Agent) => client.setQueryData(agentKey(agent.id), agent)
}

/** For `If-Match`: the draft as it was read. */
export const etagOf = ({ draft_revision }: Agent): string => `"rev-${draft_revision.version}"`

/** Whether the draft could be published, with the problems at its fields. */
export const usePublishCheck = (agent: Agent) =>
  useQuery({
    queryKey: ['publish-check', agent.id, agent.draft_revision.version],
    queryFn: async () => {
      const { data } = await fetchApi.POST('/dashboard/api/v1/agents/{agentId}/publish', {
        params: {
          path: { agentId: agent.id },
          query: { dry_run: 'true' },
          header: { 'if-match': etagOf(agent) },
        },
      })
      return data as PublishCheck
    },
    refetchOnWindowFocus: false,
  })

interface PublishOrder {
  /** The draft must still be as this Agent has it. Any draft when left out. */
  readonly agent?: Agent
  /** An older revision; the draft when left out. */
  readonly revisionId?: string
}

/** Publishes the draft, or an older revision. */
export const usePublish = (agentId: string) =>
  useMutation({
    mutationFn: async ({ agent, revisionId }: PublishOrder) => {
      const { data } = await fetchApi.POST('/dashboard/api/v1/agents/{agentId}/publish', {
        params: { path: { agentId }, ...(agent !== undefined && { header: { 'if-match': etagOf(agent) } }) },
        body: revisionId === undefined ? {} : { revision_id: revisionId },
      })
      return data as Publication
    },
  })
