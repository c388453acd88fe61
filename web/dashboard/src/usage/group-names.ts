import { agentNameOf, useAgentNames } from '../agents/agent-names.js'
import { api } from '../api/api.js'
import type { UsageGroup, UsageGrouping } from './usage-queries.js'
import { formatDay } from './usage-range.js'

const kindNames: Readonly<Record<string, string>> = {
  session: 'Conversations',
  tts: 'Speech',
  stt: 'Transcription',
}

/** Requests of the dashboard count for a key that each member has, which is not listed. */
const keyNameOf = (
  id: string,
  keys: readonly { readonly id: string; readonly label: string }[] | undefined,
): string => {
  if (keys === undefined) return 'API key'
  return keys.find((key) => key.id === id)?.label ?? `The dashboard, member ${id.slice(0, 8)}`
}

/** Returns a function that names a group of a report: the name of the Agent, the label of the key, and so on. */
export const useGroupNames = (grouping: UsageGrouping): ((key: UsageGroup['key']) => string) => {
  const { data: agents } = useAgentNames({ enabled: grouping === 'agent' })
  const { data: listed } = api.useQuery('get', '/dashboard/api/keys', {}, { enabled: grouping === 'api_key' })
  switch (grouping) {
    case 'agent':
      return (key) => (key === null ? 'Without an Agent' : agentNameOf(key, agents))
    case 'api_key':
      return (key) => (key === null ? 'Without an API key' : keyNameOf(key, listed?.keys))
    case 'kind':
      return (key) => kindNames[key ?? ''] ?? String(key)
    case 'day':
      return (key) => formatDay(String(key))
  }
}
