import { Tooltip } from '@mantine/core'
import { formatCredit } from '../shared/credit-amount.js'
import { axisTopOf, isNamed } from './chart-scale.js'
import classes from './usage-chart.module.css'
import type { UsageGroup } from './usage-queries.js'
import { formatDay } from './usage-range.js'

export interface UsageChartProps {
  /** Oldest first. Days without usage are among them. */
  readonly days: readonly string[]
  /** By day. */
  readonly usage: readonly UsageGroup[]
}

/** The credit used on each day. */
export const UsageChart = ({ days, usage }: UsageChartProps) => {
  const amounts = new Map(usage.map(({ key, credit_used }) => [key, credit_used]))
  const used = days.map((day) => ({ day, amount: amounts.get(day) ?? '0' }))
  const top = axisTopOf(used.map(({ amount }) => Number(amount)))
  return (
    <div role="img" aria-label="Credit used on each day. The table by day has the numbers." className={classes.chart}>
      <div className={classes.axis}>
        {[top, top / 2, 0].map((amount) => (
          <span key={amount}>{formatCredit(String(amount))}</span>
        ))}
      </div>
      <div className={classes.days}>
        {used.map(({ day, amount }, index) => (
          <Tooltip key={day} label={`${formatDay(day)}: ${formatCredit(amount)}`} withArrow>
            <div className={classes.day}>
              <div className={classes.bar} style={{ height: `${(Number(amount) / top) * 100}%` }} />
              {isNamed(index, days.length) && <span className={classes.name}>{formatDay(day)}</span>}
            </div>
          </Tooltip>
        ))}
      </div>
    </div>
  )
}
