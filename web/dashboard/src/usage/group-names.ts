import { agentNameOf, useAgentNames } from '../agents/agent-names.js'
import { api } from '../api/api.js'
import type { paths } from '../api/schema.js'
import type { UsageGroup, UsageGrouping } from './usage-queries.js'
import { formatDay } from './usage-range.js'

const kindNames: Readonly<Record<string, string>> = {
  session: 'Conversations',
  tts: 'Speech',
  stt: 'Transcription',
}

type ListedKeys = paths['/dashboard/api/keys']['get']['responses']['200']['content']['application/json']

/** Requests of the dashboard count for a key that each person has. */
const keyNameOf = (id: string, listed: ListedKeys | undefined): string => {
  if (listed === undefined) return 'API key'
  const member = listed.member_keys.find((key) => key.id === id)
  if (member !== undefined) return `${member.person_name}, in the dashboard`
  return listed.keys.find((key) => key.id === id)?.label ?? `Unknown key ${id.slice(0, 8)}`
}

/** Returns a function that names a group of a report: the name of the Agent, the label of the key, and so on. */
export const useGroupNames = (grouping: UsageGrouping): ((key: UsageGroup['key']) => string) => {
  const { data: agents } = useAgentNames({ enabled: grouping === 'agent' })
  const { data: listed } = api.useQuery('get', '/dashboard/api/keys', {}, { enabled: grouping === 'api_key' })
  switch (grouping) {
    case 'agent':
      return (key) => (key === null ? 'Without an Agent' : agentNameOf(key, agents))
    case 'api_key':
      return (key) => (key === null ? 'Without an API key' : keyNameOf(key, listed))
    case 'kind':
      return (key) => kindNames[key ?? ''] ?? String(key)
    case 'day':
      return (key) => formatDay(String(key))
  }
}
