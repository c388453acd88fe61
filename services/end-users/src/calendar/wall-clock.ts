/**
 * Local times ("wall times") of time zones. A local time is a number: the milliseconds since 1970 that UTC has when its clock
 * shows the same.
 *
 * - A local time that is skipped when clocks are put forward is moved later by the skipped time.
 * - A local time that occurs twice when clocks are put back means the first.
 */

interface Zone {
  readonly format: Intl.DateTimeFormat
  /** The offset from UTC at the beginning of a UTC day, by the number of the day. */
  readonly atMidnight: Map<number, number>
}

const dayMs = 86_400_000
const maxZones = 100
const maxDays = 2_000
const zones = new Map<string, Zone>()

/** Creating a format takes longer than a thousand uses of it, so formats are kept. */
const zoneOf = (timeZone: string): Zone => {
  const kept = zones.get(timeZone)
  if (kept !== undefined) return kept
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  if (zones.size >= maxZones) zones.clear()
  const zone = { format, atMidnight: new Map<number, number>() }
  zones.set(timeZone, zone)
  return zone
}

const exactOffset = ({ format }: Zone, instantMs: number): number => {
  const shown: Record<string, number> = {}
  for (const { type, value } of format.formatToParts(instantMs)) shown[type] = Number(value)
  const { year = 0, month = 1, day, hour, minute, second } = shown
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instantMs / 1000) * 1000
}

const midnightOffset = (zone: Zone, day: number): number => {
  const kept = zone.atMidnight.get(day)
  if (kept !== undefined) return kept
  const offset = exactOffset(zone, day * dayMs)
  if (zone.atMidnight.size >= maxDays) zone.atMidnight.clear()
  zone.atMidnight.set(day, offset)
  return offset
}

/** No clock is put forward and back again within a day, so between two midnights with the same offset the offset is that. */
const offsetAt = (instantMs: number, timeZone: string): number => {
  const zone = zoneOf(timeZone)
  const day = Math.floor(instantMs / dayMs)
  const offset = midnightOffset(zone, day)
  return offset === midnightOffset(zone, day + 1) ? offset : exactOffset(zone, instantMs)
}

/** The local time of an instant. */
export const toWall = (instantMs: number, timeZone: string): number => instantMs + offsetAt(instantMs, timeZone)

/** The instant of a local time, in ms since 1970. */
export const fromWall = (wall: number, timeZone: string): number => {
  const before = wall - offsetAt(wall - dayMs, timeZone)
  if (toWall(before, timeZone) === wall) return before
  const after = wall - offsetAt(wall + dayMs, timeZone)
  return toWall(after, timeZone) === wall ? after : before
}

/** Parses a local time such as `2026-03-29T09:30`. */
export const parseWall = (text: string): number => Date.parse(`${text}:00Z`)

/** Prints a local time such as `2026-03-29T09:30`. */
export const printWall = (wall: number): string => new Date(wall).toISOString().slice(0, 16)
