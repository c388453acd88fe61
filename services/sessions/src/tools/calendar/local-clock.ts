/** Formats times in the user's time zone, in a form that models read and write well. */
export interface LocalClock {
  readonly timeZone: string
  /** Such as `2026-03-20T09:30`. */
  time(instant: string | number): string
  /** Such as `Friday 2026-03-20 09:30`. */
  words(instant: string | number): string
  /** Such as `Friday 2026-03-20 09:30 to 10:30`. */
  span(from: string, to: string): string
}

export const createLocalClock = (timeZone: string): LocalClock => {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    weekday: 'long',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  })
  const parts = (instant: string | number) => {
    const found = Object.fromEntries(format.formatToParts(new Date(instant)).map(({ type, value }) => [type, value]))
    const { year, month, day, hour, minute, weekday } = found
    return { weekday, date: `${year}-${month}-${day}`, time: `${hour}:${minute}` }
  }
  const words = (instant: string | number) => {
    const { weekday, date, time } = parts(instant)
    return `${weekday} ${date} ${time}`
  }
  return {
    timeZone,
    words,
    time(instant) {
      const { date, time } = parts(instant)
      return `${date}T${time}`
    },
    span(from, to) {
      const [start, end] = [parts(from), parts(to)]
      return `${words(from)} to ${start.date === end.date ? end.time : words(to)}`
    },
  }
}
