import { Tabs, Text } from '@mantine/core'
import { useState } from 'react'
import { isAtLeast } from '../session/roles.js'
import { useWorkspace } from '../session/signed-in.js'
import { Loaded } from '../shared/loaded.js'
import { type UsageGrouping, useUsage } from './usage-queries.js'
import { UsageTable } from './usage-table.js'

const groupings = [
  { value: 'agent', label: 'By Agent', header: 'Agent' },
  { value: 'api_key', label: 'By API key', header: 'API key', leastRole: 'admin' },
  { value: 'kind', label: 'By kind', header: 'Kind' },
  { value: 'day', label: 'By day', header: 'Day (UTC)' },
] as const

interface GroupedUsageProps {
  readonly from: string
  readonly grouping: (typeof groupings)[number]
}

const GroupedUsage = ({ from, grouping: { value, label, header } }: GroupedUsageProps) => {
  const report = useUsage(from, value)
  return (
    <Loaded query={report}>
      {(data) =>
        data.usage.length === 0 ? (
          <Text size="sm" c="dimmed">
            Nothing was used in this period.
          </Text>
        ) : (
          <UsageTable label={`Usage ${label.toLowerCase()}`} header={header} report={data} />
        )
      }
    </Loaded>
  )
}

/** The usage since the beginning of a day in UTC. Only Owners and Admins see labels of keys. */
export const UsageBreakdown = ({ from }: { readonly from: string }) => {
  const { role } = useWorkspace()
  const [chosen, setChosen] = useState<UsageGrouping>('agent')
  const offered = groupings.filter((grouping) => !('leastRole' in grouping) || isAtLeast(role, grouping.leastRole))
  return (
    <Tabs value={chosen} onChange={(value) => setChosen(value as UsageGrouping)} keepMounted={false}>
      <Tabs.List mb="md">
        {offered.map(({ value, label }) => (
          <Tabs.Tab key={value} value={value}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {offered.map((grouping) => (
        <Tabs.Panel key={grouping.value} value={grouping.value}>
          <GroupedUsage from={from} grouping={grouping} />
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
