import { SegmentedControl } from '@mantine/core'
import { type RangeInDays, rangesInDays } from './usage-range.js'

interface RangeFieldProps {
  readonly range: RangeInDays
  onChange(range: RangeInDays): void
}

/** The choice of a range. */
export const RangeField = ({ range, onChange }: RangeFieldProps) => (
  <SegmentedControl
    aria-label="Range"
    value={String(range)}
    onChange={(value) => onChange(Number(value) as RangeInDays)}
    data={rangesInDays.map((value) => ({ value: String(value), label: `${value} days` }))}
  />
)
