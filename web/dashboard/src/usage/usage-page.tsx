import { Paper, Progress, SimpleGrid, Tabs, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ChartColumn } from 'lucide-react'
import { useState } from 'react'
import { agentNameOf, type NamedAgent, useAgentNames } from '../agents/agent-names.js'
import { fetchApi } from '../api/api.js'
import { allItems } from '../api/lists.js'
import { isAtLeast } from '../session/roles.js'
import { useWorkspace } from '../session/signed-in.js'
import { formatCredit, sumOfCredit } from '../shared/credit-amount.js'
import { type Column, DataTable, RowTitle } from '../shared/data-table.js'
import { DayChart } from '../shared/day-chart.js'
import { Empty } from '../shared/empty.js'
import { Loaded } from '../shared/loaded.js'
import { formatDay } from '../shared/moment.js'
import { Page } from '../shared/page.js'
import { formatCount, formatDuration } from '../shared/quantities.js'
import { creditOutlookOf } from './credit-outlook.js'
import { CreditWarning } from './credit-warning.js'
import { RangeField } from './range-field.js'
import {
  type Credit,
  creditByDay,
  type UsageGroup,
  type UsageGrouping,
  type UsageReport,
  useCredit,
  useUsage,
} from './usage-queries.js'
import { daysOf, type RangeInDays } from './usage-range.js'

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
const useGroupNames = (grouping: UsageGrouping): ((key: UsageGroup['key']) => string) => {
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
const UsageBreakdown = ({ from }: { readonly from: string }) => {
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

interface FigureProps {
  readonly label: string
  /** Decimal text. */
  readonly amount: string
  readonly hint: string
}

const Figure = ({ label, amount, hint }: FigureProps) => (
  <Paper withBorder p="md">
    <Text c="dimmed">{label}</Text>
    <Text size="xl" fw={650} title={amount}>
      {formatCredit(amount)}
    </Text>
    <Text size="xs" c="dimmed">
      {hint}
    </Text>
  </Paper>
)

interface CreditFiguresProps {
  readonly credit: Credit
  /** By day. */
  readonly usage: readonly UsageGroup[]
  readonly range: RangeInDays
}

/** The balance, the part of it that is reserved, and what was spent in the range. */
const CreditFigures = ({ credit, usage, range }: CreditFiguresProps) => (
  <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
    <Figure label="Balance" amount={credit.balance} hint="Unspent credit" />
    <Figure label="Reserved" amount={credit.reserved} hint="Part of the balance, for work in progress" />
    <Figure
      label="Used"
      amount={sumOfCredit(usage.map(({ credit_used }) => credit_used))}
      hint={`In the last ${range} days`}
    />
  </SimpleGrid>
)

export const UsagePage = () => {
  const [range, setRange] = useState<RangeInDays>(30)
  const days = daysOf(range)
  const from = days[0]!
  const credit = useCredit()
  const byDay = useUsage(from, 'day')
  return (
    <Page
      title="Usage and credit"
      description="Speech, transcription and conversations draw on the credit of the workspace. Days are in UTC."
      actions={<RangeField range={range} onChange={setRange} />}
    >
      <Loaded query={credit}>
        {(balance) => (
          <Loaded query={byDay}>
            {({ usage }) => (
              <>
                <CreditWarning outlook={creditOutlookOf(balance, usage, days)} />
                <CreditFigures credit={balance} usage={usage} range={range} />
                {usage.length === 0 ? (
                  <Empty icon={ChartColumn} title={`Nothing was used in the last ${range} days`}>
                    Usage appears here when a conversation has ended, or when text was spoken or speech transcribed.
                  </Empty>
                ) : (
                  <>
                    <Paper withBorder p="md" component="section" aria-labelledby="by-day">
                      <Title order={2} id="by-day" mb="sm">
                        Credit used by day
                      </Title>
                      <DayChart
                        label="Credit used on each day. The table by day has the numbers."
                        days={days}
                        values={creditByDay(usage, days)}
                        format={(amount) => formatCredit(String(amount))}
                      />
                    </Paper>
                    <UsageBreakdown from={from} />
                  </>
                )}
              </>
            )}
          </Loaded>
        )}
      </Loaded>
    </Page>
  )
}
