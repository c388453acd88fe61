/** An event as it is kept. Times are those of clocks on walls, see `wall-clock.ts`. */
export interface StoredEvent {
  readonly id: string
  readonly title: string
  readonly startsAt: number
  readonly durationMinutes: number
  readonly timeZone: string
  readonly recurrence: string | null
  readonly exceptions: readonly Exception[]
  /** In ms since 1970. */
  readonly createdAtMs: number
  readonly changedAtMs: number
}

export type EventFields = Pick<
  StoredEvent,
  'title' | 'startsAt' | 'durationMinutes' | 'timeZone' | 'recurrence' | 'exceptions'
>

export type EventTime = Pick<StoredEvent, 'startsAt' | 'durationMinutes' | 'timeZone'>

/** An occurrence that does not take place when the rule says. */
export interface Exception {
  /** When it would, on the wall of the event's time zone. */
  readonly ruledAt: number
  /** Null: not at all. */
  readonly instead: EventTime | null
}
