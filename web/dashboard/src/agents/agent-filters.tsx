import { Group, SegmentedControl, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { type AgentFilter, agentFilterOf, maxLetters } from './agent-filter.js'

const typingPauseMs = 250

const states = [
  { value: 'all', label: 'All' },
  { value: 'published', label: 'Published' },
  { value: 'draft', label: 'Drafts' },
]

export interface AgentFiltersProps {
  readonly filter: AgentFilter
  onChange(filter: AgentFilter): void
}

/** The search and the state by which the list of Agents is filtered. */
export const AgentFilters = ({ filter, onChange }: AgentFiltersProps) => {
  const [text, setText] = useState(filter.q ?? '')
  const change = (wanted: { q: string; state: string }) => onChange(agentFilterOf(wanted))
  const search = useDebouncedCallback((q: string) => change({ q, state: filter.state ?? 'all' }), typingPauseMs)
  return (
    <Group gap="sm">
      <TextInput
        type="search"
        aria-label="Search for Agents"
        placeholder="Name, slug or description"
        leftSection={<Search />}
        maxLength={maxLetters}
        value={text}
        onChange={({ currentTarget: { value } }) => {
          setText(value)
          search(value.trim())
        }}
        flex="1 1 14rem"
        maw={360}
      />
      <SegmentedControl
        aria-label="State"
        data={states}
        value={filter.state ?? 'all'}
        onChange={(state) => change({ q: text.trim(), state })}
      />
    </Group>
  )
}
