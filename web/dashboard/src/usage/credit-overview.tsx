import { Group, Paper, Title } from '@mantine/core'
import { PageAnchor } from '../shared/links.js'
import { Loaded } from '../shared/loaded.js'
import { CreditFigures } from './credit-figures.js'
import { creditOutlookOf } from './credit-outlook.js'
import { CreditWarning } from './credit-warning.js'
import { UsageChart } from './usage-chart.js'
import { useCredit, useUsage } from './usage-queries.js'
import { daysOf } from './usage-range.js'

/** The credit of the workspace, and what was used of it on each of the last 30 days. */
export const CreditOverview = () => {
  const days = daysOf(30)
  const credit = useCredit()
  const byDay = useUsage(days[0]!, 'day')
  return (
    <Loaded query={credit}>
      {(balance) => (
        <Loaded query={byDay}>
          {({ usage }) => (
            <>
              <CreditWarning outlook={creditOutlookOf(balance, usage, days)} />
              <CreditFigures credit={balance} usage={usage} range={30} />
              <Paper withBorder p="md" component="section" aria-labelledby="credit-by-day">
                <Group justify="space-between" mb="sm">
                  <Title order={2} id="credit-by-day">
                    Credit used by day
                  </Title>
                  <PageAnchor to="/usage" size="sm">
                    Usage and credit
                  </PageAnchor>
                </Group>
                <UsageChart days={days} usage={usage} />
              </Paper>
            </>
          )}
        </Loaded>
      )}
    </Loaded>
  )
}
