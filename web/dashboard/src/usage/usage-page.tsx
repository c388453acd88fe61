import { Paper, SimpleGrid, Text, Title } from '@mantine/core'
import { ChartColumn } from 'lucide-react'
import { useState } from 'react'
import { formatCredit, sumOfCredit } from '../shared/credit-amount.js'
import { DayChart } from '../shared/day-chart.js'
import { Empty } from '../shared/empty.js'
import { Loaded } from '../shared/loaded.js'
import { Page } from '../shared/page.js'
import { creditOutlookOf } from './credit-outlook.js'
import { CreditWarning } from './credit-warning.js'
import { RangeField } from './range-field.js'
import { UsageBreakdown } from './usage-breakdown.js'
import { type Credit, creditByDay, type UsageGroup, useCredit, useUsage } from './usage-queries.js'
import { daysOf, type RangeInDays } from './usage-range.js'

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
