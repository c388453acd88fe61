import { Paper, SegmentedControl, Title } from '@mantine/core'
import { ChartColumn } from 'lucide-react'
import { useState } from 'react'
import { formatCredit } from '../shared/credit-amount.js'
import { DayChart } from '../shared/day-chart.js'
import { Empty } from '../shared/empty.js'
import { Loaded } from '../shared/loaded.js'
import { Page } from '../shared/page.js'
import { CreditFigures } from './credit-figures.js'
import { creditOutlookOf } from './credit-outlook.js'
import { CreditWarning } from './credit-warning.js'
import { UsageBreakdown } from './usage-breakdown.js'
import { creditByDay, useCredit, useUsage } from './usage-queries.js'
import { daysOf, type RangeInDays, rangesInDays } from './usage-range.js'

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
      actions={
        <SegmentedControl
          aria-label="Range"
          transitionDuration={0}
          value={String(range)}
          onChange={(value) => setRange(Number(value) as RangeInDays)}
          data={rangesInDays.map((value) => ({ value: String(value), label: `${value} days` }))}
        />
      }
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
