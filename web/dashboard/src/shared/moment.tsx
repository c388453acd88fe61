import type { CSSProperties } from 'react'

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const exact = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })
const day = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' })

/** Such as "Jan 31, 2026, 3:07 PM". */
export const formatMoment = (at: string): string => exact.format(new Date(at))

/** Such as "Jan 31". */
export const formatDay = (date: string): string => day.format(new Date(date))

const units = [
  ['year', 365 * 24 * 3600],
  ['month', 30 * 24 * 3600],
  ['day', 24 * 3600],
  ['hour', 3600],
  ['minute', 60],
] as const

/** Such as "3 minutes ago". */
const sinceNow = (at: string): string => {
  const seconds = (Date.parse(at) - Date.now()) / 1_000
  const unit = units.find(([, length]) => Math.abs(seconds) >= length)
  return unit === undefined ? 'just now' : relative.format(Math.trunc(seconds / unit[1]), unit[0])
}

const noWrap: CSSProperties = { whiteSpace: 'nowrap' }

/** A relative time, with the exact one as a tooltip. */
export const Moment = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={formatMoment(at)} style={noWrap}>
    {sinceNow(at)}
  </time>
)
