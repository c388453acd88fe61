import { Tooltip } from '@mantine/core'
import { axisTopOf, isNamed } from './chart-scale.js'
import classes from './day-chart.module.css'
import { formatDay } from './moment.js'

export interface DayChartProps {
  /** The name of the chart for screen readers. */
  readonly label: string
  /** Oldest first. */
  readonly days: readonly string[]
  /** One for each day; null for a day without one. */
  readonly values: readonly (number | null)[]
  /** Of the axis and of a day. The axis leaves out an empty text. */
  readonly format: (value: number) => string
  /** The text for the day at an index, when its value in words is not enough. */
  readonly describe?: (index: number) => string
  /** The top of the axis. It follows from the values when left out. */
  readonly top?: number
  readonly isCompact?: boolean
}

/** A bar for each day. */
export const DayChart = ({ label, days, values, format, describe, top: given, isCompact = false }: DayChartProps) => {
  const top = given ?? axisTopOf(values.map((value) => value ?? 0))
  const words = (value: number | null) => (value === null ? 'none' : format(value))
  return (
    <div role="img" aria-label={label} className={classes.chart} data-compact={isCompact || undefined}>
      <div className={classes.axis}>
        {[top, top / 2, 0].map((value) => (
          <span key={value}>{format(value)}</span>
        ))}
      </div>
      <div className={classes.days}>
        {days.map((day, index) => {
          const value = values[index] ?? null
          return (
            <Tooltip key={day} label={`${formatDay(day)}: ${describe?.(index) ?? words(value)}`} withArrow>
              <div className={classes.day}>
                <div className={classes.bar} style={{ height: `${((value ?? 0) / top) * 100}%` }} />
                {isNamed(index, days.length, isCompact ? 4 : 6) && (
                  <span className={classes.name}>{formatDay(day)}</span>
                )}
              </div>
            </Tooltip>
          )
        })}
      </div>
    </div>
  )
}
