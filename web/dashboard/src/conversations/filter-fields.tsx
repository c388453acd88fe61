import { SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useAgentNames } from '../agents/agent-names.js'
import { FilterSelect } from '../shared/filter-fields.js'
import { type ConversationFilter, conversationFilterOf } from './conversation-filter.js'
import { endReasons, statuses } from './conversation-words.js'
import { SearchField } from './search-field.js'

const statusOptions = Object.entries(statuses).map(([value, { label }]) => ({ value, label }))

const reasonOptions = Object.entries(endReasons).map(([value, label]) => ({ value, label }))

/** Options beyond these are found by typing. */
const maxOptions = 50

export interface FilterFieldsProps {
  readonly filter: ConversationFilter
  onChange(filter: ConversationFilter): void
}

/** The fields that choose conversations. An empty field chooses all. */
export const FilterFields = ({ filter, onChange }: FilterFieldsProps) => {
  const { data: agents = [] } = useAgentNames()
  const change = (name: keyof ConversationFilter) => (value: string | null) =>
    onChange(conversationFilterOf({ ...filter, [name]: value }))
  return (
    <Stack gap="sm">
      <SearchField
        filter={filter}
        onChange={(searched) => onChange(conversationFilterOf({ ...filter, end_user: null, said: null, ...searched }))}
      />
      <SimpleGrid cols={{ base: 2, sm: 3, md: 5 }} spacing="sm">
        <FilterSelect
          label="Agent"
          all="All Agents"
          data={agents.map(({ id, name }) => ({ value: id, label: name }))}
          limit={maxOptions}
          value={filter.agent}
          onChange={change('agent')}
          nothingFoundMessage="No Agent has this name"
          searchable
        />
        <FilterSelect
          label="Status"
          all="Any status"
          data={statusOptions}
          value={filter.status}
          onChange={change('status')}
        />
        <FilterSelect
          label="End reason"
          all="Any end reason"
          data={reasonOptions}
          value={filter.reason}
          onChange={change('reason')}
          comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
        />
        <TextInput
          type="date"
          label="From"
          value={filter.from ?? ''}
          max={filter.to}
          onChange={({ currentTarget }) => change('from')(currentTarget.value)}
        />
        <TextInput
          type="date"
          label="To"
          value={filter.to ?? ''}
          min={filter.from}
          onChange={({ currentTarget }) => change('to')(currentTarget.value)}
        />
      </SimpleGrid>
    </Stack>
  )
}
