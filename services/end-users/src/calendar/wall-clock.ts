/**
 * Clocks on walls. What such a clock shows is a number here: the ms since 1970 that UTC would have, were it UTC's.
 *
 * - Where clocks are put forward, a time that none of them shows is as much later.
 * - Where they are put back, a time that they show twice is the first of the two.
 */

const mostKept = 1_000
const formats = new Map<string, Intl.DateTimeFormat>()

/** Making one takes longer than a thousand uses of it. */
const formatFor = (timeZone: string): Intl.DateTimeFormat => {
  const kept = formats.get(timeZone)
  if (kept !== undefined) return kept
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, calendar: 'iso8601', numberingSystem: 'latn', hourCycle: 'h23' },
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' },
  })
  if (formats.size >= mostKept) formats.clear()
  formats.set(timeZone, format)
  return format
}

const dayMs = 86_400_000

/** What the clock shows, to the second. */
export const toWall = (instantMs: number, timeZone: string): number => {
  const shown: Record<string, number> = {}
  for (const { type, value } of formatFor(timeZone).formatToParts(instantMs)) shown[type] = Number(value)
  const { year = 0, month = 1, day, hour, minute, second } = shown
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

/** When the clock shows it, in ms since 1970. */
export const fromWall = (wall: number, timeZone: string): number => {
  const before = wall + (wall - dayMs - toWall(wall - dayMs, timeZone))
  if (toWall(before, timeZone) === wall) return before
  const after = wall + (wall + dayMs - toWall(wall + dayMs, timeZone))
  return toWall(after, timeZone) === wall ? after : before
}

/** Of a text such as `2026-03-29T09:30`. */
export const parseWall = (text: string): number => Date.parse(`${text}:00Z`)

/** Such as `2026-03-29T09:30`. */
export const printWall = (wall: number): string => new Date(wall).toISOString().slice(0, 16)
