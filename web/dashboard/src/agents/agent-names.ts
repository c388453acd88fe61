import { useQuery } from '@tanstack/react-query'
import { fetchApi } from '../api/api.js'
import { allItems } from '../api/lists.js'
import { useWorkspace } from '../session/signed-in.js'

export interface NamedAgent {
  readonly id: string
  readonly name: string
}

const listAgents = (): Promise<NamedAgent[]> =>
  allItems(
    (query) => fetchApi.GET('/dashboard/api/v1/agents', { params: { query } }),
    ({ agents }) => agents.map(({ id, display_name }) => ({ id, name: display_name })),
  )

/** The names of all Agents, for lists that have their ids. A workspace without the capability has none. */
export const useAgentNames = ({ enabled = true }: { readonly enabled?: boolean } = {}) => {
  const hasAgents = useWorkspace().capabilities.includes('agents')
  return useQuery({
    queryKey: ['agent-names'],
    queryFn: hasAgents ? listAgents : () => [],
    enabled,
  })
}

/** The name of an Agent; an Agent that is not among them was deleted. `agents` is undefined until they are loaded. */
export const agentNameOf = (id: string, agents: readonly NamedAgent[] | undefined): string => {
  if (agents === undefined) return 'Agent'
  return agents.find((agent) => agent.id === id)?.name ?? `Deleted Agent ${id.slice(0, 8)}`
}
