import { useQuery } from '@tanstack/react-query'
import { agentNameOf, type NamedAgent, useAgentNames } from '../agents/agent-names.js'
import { fetchApi } from '../api/api.js'
import { allItems } from '../api/lists.js'
import { formatDay } from '../shared/moment.js'
import type { UsageGroup, UsageGrouping } from './usage-queries.js'

const kindNames: Readonly<Record<string, string>> = {
  session: 'Conversations',
  tts: 'Speech',
  stt: 'Transcription',
}

/** The name of each key. Requests of the dashboard are attributed to a key of the person. */
const listKeyNames = async (): Promise<ReadonlyMap<string, string>> => {
  const names = await allItems(
    (query) => fetchApi.GET('/dashboard/api/keys', { params: { query } }),
    ({ keys, member_keys }) => [
      ...keys.map(({ id, label }) => [id, label] as const),
      ...member_keys.map(({ id, person_name }) => [id, `${person_name}, in the dashboard`] as const),
    ],
  )
  return new Map(names)
}

/** Usage of the visitors of a public Agent has the id of the Agent as its key. */
const keyNameOf = (
  id: string,
  names: ReadonlyMap<string, string> | undefined,
  agents: readonly NamedAgent[] | undefined,
): string => {
  if (names === undefined) return 'API key'
  const agent = agents?.find((one) => one.id === id)
  return names.get(id) ?? (agent === undefined ? `Unknown key ${id.slice(0, 8)}` : `Visitors of ${agent.name}`)
}

/** Returns a function that names a group of a report: the name of the Agent, the label of the key, and so on. */
export const useGroupNames = (grouping: UsageGrouping): ((key: UsageGroup['key']) => string) => {
  const { data: agents } = useAgentNames({ enabled: grouping === 'agent' || grouping === 'api_key' })
  const { data: keyNames } = useQuery({
    queryKey: ['get', '/dashboard/api/keys', 'names'],
    queryFn: listKeyNames,
    enabled: grouping === 'api_key',
  })
  switch (grouping) {
    case 'agent':
      return (key) => (key === null ? 'Without an Agent' : key === 'other' ? 'All others' : agentNameOf(key, agents))
    case 'api_key':
      return (key) =>
        key === null ? 'Without an API key' : key === 'other' ? 'All others' : keyNameOf(key, keyNames, agents)
    case 'kind':
      return (key) => kindNames[key ?? ''] ?? String(key)
    case 'day':
      return (key) => formatDay(String(key))
  }
}
