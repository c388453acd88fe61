import { Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { MessagesSquare } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { api } from '../api/api.js'
import type { components } from '../api/schema.js'
import { useWorkspace } from '../session/signed-in.js'
import { formatCredit, sumOfCredit } from '../shared/credit-amount.js'
import { DataTable } from '../shared/data-table.js'
import { DayChart, type DayChartProps } from '../shared/day-chart.js'
import { Empty } from '../shared/empty.js'
import { PageAnchor, PageButton } from '../shared/links.js'
import { Loaded } from '../shared/loaded.js'
import { formatDay } from '../shared/moment.js'
import { Page } from '../shared/page.js'
import { formatCount, formatMs } from '../shared/quantities.js'
import { creditOutlookOf } from '../usage/credit-outlook.js'
import { CreditWarning } from '../usage/credit-warning.js'
import { RangeField } from '../usage/range-field.js'
import { creditByDay, type UsageGroup, useCredit, useUsage } from '../usage/usage-queries.js'
import { daysOf, type RangeInDays } from '../usage/usage-range.js'

type Overview = components['schemas']['Overview']
type Figures = Overview['total']

const useOverview = (from: string, enabled: boolean) =>
  api.useQuery(
    'get',
    '/dashboard/api/overview',
    { params: { query: { from } } },
    { enabled, placeholderData: keepPreviousData },
  )

/** The share of ended conversations that succeeded; null while none has ended. */
const successOf = ({ ended, succeeded }: Figures): number | null => (ended === 0 ? null : (100 * succeeded) / ended)

/** Never "100 %" when a conversation did not succeed. */
const formatPercent = (percent: number): string => `${percent > 99 ? Math.floor(percent) : Math.round(percent)} %`

/** A number of conversations. Axis labels are whole numbers. */
const formatWhole = (count: number): string => (Number.isInteger(count) ? formatCount(count) : '')

interface FigureProps extends Omit<DayChartProps, 'isCompact'> {
  readonly title: string
  readonly value: string
  /** An explanation of the value. */
  readonly hint: ReactNode
}

const Figure = ({ title, value, hint, ...chart }: FigureProps) => (
  <Paper component="section" aria-label={title} withBorder px="md" py="sm">
    <Stack gap="xs" h="100%" justify="space-between">
      <div>
        <Title order={2} size="sm" fw={500} c="dimmed">
          {title}
        </Title>
        <Text size="xl" fw={650}>
          {value}
        </Text>
        <Text size="xs" c="dimmed">
          {hint}
        </Text>
      </div>
      <DayChart {...chart} isCompact />
    </Stack>
  </Paper>
)

interface OfDaysProps {
  readonly overview: Overview
  readonly days: readonly string[]
}

const ConversationFigures = ({ overview: { total, days: found }, days }: OfDaysProps) => {
  const byDay = new Map(found.map((figures) => [figures.day, figures]))
  const ofDays = days.map((day) => byDay.get(day))
  const success = successOf(total)
  const latency = total.voice_to_voice_ms
  return (
    <>
      <Figure
        title="Conversations"
        value={formatCount(total.conversations)}
        hint={
          <>
            Begun in the last {days.length} days, also those that are still live.{' '}
            <PageAnchor to="/conversations" inherit underline="always">
              All conversations
            </PageAnchor>
          </>
        }
        label="Conversations on each day"
        days={days}
        values={ofDays.map((figures) => figures?.conversations ?? 0)}
        format={formatWhole}
      />
      <Figure
        title="Success"
        value={success === null ? 'None has ended' : formatPercent(success)}
        hint={`${formatCount(total.succeeded)} of ${formatCount(total.ended)} ended without an error, a lost connection, a lack of credit or a stop of the server.`}
        label="Share of the conversations on each day that succeeded"
        days={days}
        values={ofDays.map((figures) => (figures === undefined ? null : successOf(figures)))}
        format={formatPercent}
        describe={(index) => {
          const figures = ofDays[index]
          return figures === undefined || figures.ended === 0
            ? 'none has ended'
            : `${formatCount(figures.succeeded)} of ${formatCount(figures.ended)}`
        }}
        top={100}
      />
      <Figure
        title="Latency"
        value={latency === null ? 'Not measured' : formatMs(latency.p50)}
        hint={
          latency === null
            ? 'It is measured when a user speaks and the Agent answers.'
            : `From the end of what a user said to the first sound of the answer: half of the answers came within this time, 95 % within ${formatMs(latency.p95)}.`
        }
        label="Median latency on each day"
        days={days}
        values={ofDays.map((figures) => figures?.voice_to_voice_ms?.p50 ?? null)}
        format={formatMs}
        describe={(index) => {
          const ofDay = ofDays[index]?.voice_to_voice_ms
          return ofDay == null ? 'not measured' : `${formatMs(ofDay.p50)} (95 %: ${formatMs(ofDay.p95)})`
        }}
      />
    </>
  )
}

const NumbersByDay = ({
  overview,
  days,
  usage,
}: OfDaysProps & { readonly usage: readonly UsageGroup[] | undefined }) => {
  const credit = new Map(usage?.map(({ key, credit_used }) => [key, credit_used]))
  const rows = overview.days.filter(({ day }) => days.includes(day)).toReversed()
  return (
    <details>
      <Text component="summary" fw={550} mb="sm" style={{ cursor: 'pointer' }}>
        Numbers by day
      </Text>
      <DataTable
        label="Numbers by day"
        rows={rows}
        rowKey={({ day }) => day}
        columns={[
          { header: 'Day (UTC)', cell: ({ day }) => formatDay(day) },
          { header: 'Conversations', cell: ({ conversations }) => formatCount(conversations), wideOnly: true },
          {
            header: 'Outcome',
            cell: ({ succeeded, ended }) =>
              ended === 0 ? 'None has ended' : `${formatCount(succeeded)} of ${formatCount(ended)} succeeded`,
          },
          {
            header: 'Latency',
            cell: ({ voice_to_voice_ms: latency }) => (latency === null ? 'Not measured' : formatMs(latency.p50)),
          },
          { header: 'Credit', cell: ({ day }) => formatCredit(credit.get(day) ?? '0'), wideOnly: true },
        ]}
      />
    </details>
  )
}

/** Statistics of the workspace: its conversations, how they ended, the latency of its Agents, and its credit. */
export const OverviewPage = () => {
  const [range, setRange] = useState<RangeInDays>(7)
  const days = daysOf(range)
  const from = days[0]!
  const hasAgents = useWorkspace().capabilities.includes('agents')
  const overview = useOverview(from, hasAgents)
  const credit = useCredit()
  const byDay = useUsage(from, 'day')
  const hasConversations = hasAgents && overview.data !== undefined && overview.data.total.conversations > 0
  return (
    <Page title="Overview" description="Days are in UTC." actions={<RangeField range={range} onChange={setRange} />}>
      {credit.data !== undefined && byDay.data !== undefined && (
        <CreditWarning outlook={creditOutlookOf(credit.data, byDay.data.usage, days)} />
      )}
      <SimpleGrid
        cols={{ base: 1, sm: 2 }}
        spacing="sm"
        style={{ alignItems: overview.data === undefined ? 'start' : 'stretch' }}
      >
        {hasAgents && (
          <Loaded query={overview}>
            {(data) =>
              data.total.conversations === 0 ? (
                <Empty
                  icon={MessagesSquare}
                  title={`No conversations in the last ${range} days`}
                  action={<PageButton to="/playground/talk">Talk with an Agent</PageButton>}
                >
                  Their number, how they ended and how fast the Agents answered appear here.
                </Empty>
              ) : (
                <ConversationFigures overview={data} days={days} />
              )
            }
          </Loaded>
        )}
        <Loaded query={credit}>
          {({ balance }) => (
            <Loaded query={byDay}>
              {({ usage }) => (
                <Figure
                  title="Credit used"
                  value={formatCredit(sumOfCredit(usage.map(({ credit_used }) => credit_used)))}
                  hint={
                    <>
                      The balance is {formatCredit(balance)}.{' '}
                      <PageAnchor to="/usage" inherit underline="always">
                        Usage and credit
                      </PageAnchor>
                    </>
                  }
                  label="Credit used on each day"
                  days={days}
                  values={creditByDay(usage, days)}
                  format={(amount) => formatCredit(String(amount))}
                />
              )}
            </Loaded>
          )}
        </Loaded>
      </SimpleGrid>
      {hasConversations && <NumbersByDay overview={overview.data!} days={days} usage={byDay.data?.usage} />}
    </Page>
  )
}
