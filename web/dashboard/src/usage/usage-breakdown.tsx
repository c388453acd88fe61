import { Progress, Tabs, Text } from '@mantine/core'
import { useState } from 'react'
import { isAtLeast } from '../session/roles.js'
import { useWorkspace } from '../session/signed-in.js'
import { formatCredit } from '../shared/credit-amount.js'
import { type Column, DataTable, RowTitle } from '../shared/data-table.js'
import { Loaded } from '../shared/loaded.js'
import { formatCount, formatDuration } from '../shared/quantities.js'
import { useGroupNames } from './group-names.js'
import { type UsageGroup, type UsageGrouping, type UsageReport, useUsage } from './usage-queries.js'

const quantities: readonly Column<UsageGroup>[] = [
  { header: 'Operations', cell: ({ operations }) => formatCount(operations), wideOnly: true },
  {
    header: 'Conversation time',
    cell: ({ session_seconds = 0 }) => formatDuration(session_seconds),
    wideOnly: true,
  },
  { header: 'Characters spoken', cell: ({ tts_characters = 0 }) => formatCount(tts_characters), wideOnly: true },
  {
    header: 'Tokens',
    cell: ({ llm_input_tokens = 0, llm_output_tokens = 0 }) => formatCount(llm_input_tokens + llm_output_tokens),
    wideOnly: true,
  },
]

/** Days have the newest first, all others the largest. */
const sorted = ({ group_by, usage }: UsageReport): readonly UsageGroup[] =>
  group_by === 'day' ? usage.toReversed() : usage.toSorted((a, b) => Number(b.credit_used) - Number(a.credit_used))

interface UsageTableProps {
  readonly label: string
  /** The heading of the column with the names. */
  readonly header: string
  readonly report: UsageReport
}

/** The usage of each group, with a bar in proportion to the largest. */
const UsageTable = ({ label, header, report }: UsageTableProps) => {
  const nameOf = useGroupNames(report.group_by)
  const largest = Math.max(...report.usage.map(({ credit_used }) => Number(credit_used)))
  const columns: readonly Column<UsageGroup>[] = [
    {
      header,
      cell: ({ key, credit_used }) => (
        <>
          <RowTitle>
            <bdi>{nameOf(key)}</bdi>
          </RowTitle>
          <Progress
            aria-hidden
            mt={6}
            size="sm"
            maw={280}
            value={largest > 0 ? (Number(credit_used) / largest) * 100 : 0}
          />
        </>
      ),
    },
    {
      header: 'Credit',
      cell: ({ credit_used }) => <span title={credit_used}>{formatCredit(credit_used)}</span>,
    },
    ...quantities,
  ]
  return <DataTable label={label} rows={sorted(report)} rowKey={({ key }) => key ?? ''} columns={columns} />
}

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
          <Text c="dimmed">Nothing was used in this period.</Text>
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
    <Tabs value={chosen} onChange={(value) => setChosen(value as UsageGrouping)}>
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
