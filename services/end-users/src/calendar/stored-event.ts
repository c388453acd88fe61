/** An event as it is stored. `startsAt` is a local time, see `wall-clock.ts`. */
export interface StoredEvent {
  readonly id: string
  readonly title: string
  readonly startsAt: number
  readonly durationMinutes: number
  readonly timeZone: string
  readonly recurrence: string | null
  readonly exceptions: readonly Exception[]
  /** Milliseconds since 1970. */
  readonly createdAtMs: number
  readonly changedAtMs: number
}

export type EventFields = Pick<
  StoredEvent,
  'title' | 'startsAt' | 'durationMinutes' | 'timeZone' | 'recurrence' | 'exceptions'
>

export type EventTime = Pick<StoredEvent, 'startsAt' | 'durationMinutes' | 'timeZone'>

/** An occurrence that does not take place at the time of the rule. */
export interface Exception {
  /** The local time by the rule, in the time zone of the event. */
  readonly ruledAt: number
  /** The time at which it takes place; null when it was cancelled. */
  readonly instead: EventTime | null
}
