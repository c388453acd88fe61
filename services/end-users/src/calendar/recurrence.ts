/**
 * Recurrence rules of RFC 5545 in local time: a rule is computed as if its times were UTC, and the results are converted by the
 * time zone. So an occurrence whose local time is skipped by a change of clocks takes place later; the RFC would leave it out.
 *
 * Rules are by days, weeks, months and years. At most one occurrence a day limits the work.
 */
import { isDeepStrictEqual } from 'node:util'
import { ServiceError } from '@parlance/contracts'
import { RRuleTemporal } from 'rrule-temporal'
import { toWall } from './wall-clock.js'

const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']
const weekday = `(${weekdays.join('|')})`
const listOf = (item: string) => new RegExp(`^${item}(,${item})*$`)

/** The allowed parts of a rule and their form. */
const parts: Readonly<Record<string, RegExp>> = {
  FREQ: /^(DAILY|WEEKLY|MONTHLY|YEARLY)$/,
  INTERVAL: /^[1-9]\d{0,2}$/,
  COUNT: /^([1-9]\d{0,2}|1000)$/,
  UNTIL: /^\d{8}(T\d{6}Z?)?$/,
  BYDAY: listOf(`([+-]?[1-5])?${weekday}`),
  BYMONTHDAY: listOf('[+-]?([1-9]|[12]\\d|3[01])'),
  BYMONTH: listOf('([1-9]|1[0-2])'),
  BYSETPOS: listOf('[+-]?[1-9]\\d?'),
  WKST: new RegExp(`^${weekday}$`),
}

const refuse = (detail: string): never => {
  throw new ServiceError('invalid_request', `recurrence: ${detail}`)
}

type Rule = Readonly<Record<string, string>>

const print = (rule: Rule): string =>
  Object.entries(rule)
    .map(([name, value]) => `${name}=${value}`)
    .join(';')

const read = (text: string): Rule =>
  Object.fromEntries(text.split(';').map((part) => part.split('=', 2) as [string, string]))

const parse = (text: string): Rule => {
  const rule: Record<string, string> = {}
  for (const part of text
    .toUpperCase()
    .replace(/^RRULE:/, '')
    .replace(/;$/, '')
    .split(';')) {
    const [name = '', value = '', ...more] = part.split('=')
    const form = Object.hasOwn(parts, name) ? parts[name] : undefined
    if (form === undefined) return refuse(`has an unknown part; the known ones are ${Object.keys(parts).join(', ')}`)
    if (more.length > 0 || !form.test(value)) return refuse(`${name} is not valid`)
    if (Object.hasOwn(rule, name)) return refuse(`has ${name} twice`)
    rule[name] = value
  }
  if (rule.FREQ === undefined) return refuse('must have FREQ')
  if (rule.COUNT !== undefined && rule.UNTIL !== undefined) return refuse('must not have both COUNT and UNTIL')
  const byMonths = rule.FREQ === 'MONTHLY' || rule.FREQ === 'YEARLY'
  if (!byMonths && /\d/.test(rule.BYDAY ?? '')) return refuse('has a numbered BYDAY, which needs months or years')
  if (rule.FREQ === 'WEEKLY' && rule.BYMONTHDAY !== undefined) return refuse('must not have BYMONTHDAY with WEEKLY')
  if (rule.BYSETPOS !== undefined && rule.BYDAY === undefined && rule.BYMONTHDAY === undefined) {
    return refuse('has BYSETPOS without days to choose among')
  }
  if (rule.UNTIL !== undefined && Number.isNaN(endOf(rule.UNTIL, 'UTC'))) return refuse('UNTIL is not valid')
  return rule
}

/** The latest local time that a rule may produce. */
const endOf = (until: string, timeZone: string): number => {
  const [, date = '', time = '235959', utc] = /^(\d{8})(?:T(\d{6})(Z)?)?$/.exec(until) ?? []
  const text = `${date.replace(/(....)(..)(..)/, '$1-$2-$3')}T${time.replace(/(..)(..)(..)/, '$1:$2:$3')}Z`
  const wall = Date.parse(text)
  return utc === undefined || Number.isNaN(wall) ? wall : toWall(wall, timeZone)
}

/** Removes days that the beginning of the event implies, so that the event can be moved to other days. */
const withoutItsOwnDay = (rule: Rule, startsAt: number): Rule => {
  const start = new Date(startsAt)
  const [day, month] = [String(start.getUTCDate()), String(start.getUTCMonth() + 1)]
  const own: Record<string, Rule> = {
    WEEKLY: { BYDAY: weekdays[start.getUTCDay()]! },
    MONTHLY: { BYMONTHDAY: day },
    YEARLY: { BYMONTH: month, BYMONTHDAY: day },
  }
  const isDay = ([name]: [string, string]) => name.startsWith('BY')
  const days = Object.fromEntries(Object.entries(rule).filter(isDay))
  if (!isDeepStrictEqual(days, own[rule.FREQ!])) return rule
  return Object.fromEntries(Object.entries(rule).filter((part) => !isDay(part)))
}

export interface Series {
  /** A local time, see `wall-clock.ts`. */
  readonly startsAt: number
  readonly timeZone: string
  /** The result of `checkedRecurrence`. */
  readonly recurrence: string
}

/** Lists the local times of a series from one local time up to, but not including, another. */
type WallTimes = (from: number, to: number) => number[]

const digits = (wall: number) => new Date(wall).toISOString().replace(/[-:]|\.\d+/g, '')

export const createWallTimes = ({ startsAt, timeZone, recurrence }: Series): WallTimes => {
  const { UNTIL, ...rule } = read(recurrence)
  const until = UNTIL === undefined ? {} : { UNTIL: digits(endOf(UNTIL, timeZone)) }
  const times = new RRuleTemporal({
    rruleString: `DTSTART:${digits(startsAt)}\nRRULE:${print({ ...rule, ...until })}`,
  })
  return (from, to) =>
    from >= to || to <= startsAt
      ? []
      : times.between(new Date(from), new Date(to - 1), true).map(({ epochMilliseconds }) => epochMilliseconds)
}

/** The rule in the form that is stored. Throws `invalid_request` when it is invalid or does not include `startsAt`. */
export const checkedRecurrence = ({ startsAt, timeZone, recurrence }: Series): string => {
  const kept = print(withoutItsOwnDay(parse(recurrence), startsAt))
  const [first] = createWallTimes({ startsAt, timeZone, recurrence: kept })(startsAt, startsAt + 1)
  return first === startsAt ? kept : refuse('does not include the day of starts_at; begin on a day of the rule')
}

/** The rule of the rest of a series from one of its times on. */
export const recurrenceFrom = (series: Series, ruledAt: number): string => {
  const { COUNT, ...rule } = read(series.recurrence)
  if (COUNT === undefined) return series.recurrence
  const before = createWallTimes(series)(series.startsAt, ruledAt).length
  return print({ ...rule, COUNT: String(Number(COUNT) - before) })
}
