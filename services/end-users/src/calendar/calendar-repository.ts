/**
 * Calendars and their events.
 *
 * - A change locks the row of its calendar, so that the second of two concurrent changes sees the first.
 * - The row of a calendar is created when it is first needed.
 */
import { randomBytes } from 'node:crypto'
import { ServiceError } from '@parlance/contracts'
import type { Database, Queryable } from '@parlance/store'

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

export interface CalendarOwner {
  readonly workspaceId: string
  readonly endUserId: string
}

export const ownerOf = (request: { readonly workspace_id: string; readonly end_user_id: string }): CalendarOwner => ({
  workspaceId: request.workspace_id,
  endUserId: request.end_user_id,
})

/** An event whose calendar is locked until the end of the transaction. */
interface LockedEvent {
  readonly event: StoredEvent
  update(fields: EventFields): Promise<StoredEvent>
  remove(): Promise<void>
}

export const maxEvents = 1_000
/** Recurring events take the most time to compute. */
const maxRecurring = 50

const msOf = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`
const wallOf = (parameter: string) => `timestamp 'epoch' + ${parameter}::float8 * interval '1 millisecond'`

const columns = `id, title, ${msOf('starts_at')} as "startsAt", duration_minutes as "durationMinutes",
  time_zone as "timeZone", recurrence, exceptions, ${msOf('created_at')} as "createdAtMs",
  ${msOf('changed_at')} as "changedAtMs"`

/** No time zone differs more from UTC. */
const maxOffsetMs = 26 * 3_600_000

const lockCalendar = async (transaction: Queryable, { workspaceId, endUserId }: CalendarOwner): Promise<Buffer> => {
  const [calendar] = await transaction.query<{ generation: Buffer }>(
    `insert into calendars as standing (workspace_id, end_user_id, generation) values ($1, $2, $3)
     on conflict (workspace_id, end_user_id) do update set generation = standing.generation
     returning generation`,
    [workspaceId, endUserId, randomBytes(8)],
  )
  return calendar!.generation
}

const refuseWhenFull = async (
  transaction: Queryable,
  { workspaceId, endUserId }: CalendarOwner,
  { recurrence }: EventFields,
): Promise<void> => {
  const [count] = await transaction.query<{ events: number; recurring: number }>(
    `select count(*)::int as events, count(recurrence)::int as recurring from events
     where workspace_id = $1 and end_user_id = $2`,
    [workspaceId, endUserId],
  )
  const { events, recurring } = count!
  if (events >= maxEvents) {
    throw new ServiceError('invalid_request', `The calendar is full: it has ${maxEvents} events. Cancel some.`)
  }
  if (recurrence !== null && recurring >= maxRecurring) {
    throw new ServiceError('invalid_request', `The calendar has ${maxRecurring} recurring events. Cancel some.`)
  }
}

const values = ({ workspaceId, endUserId }: CalendarOwner, fields: EventFields): unknown[] => [
  workspaceId,
  endUserId,
  fields.title,
  fields.startsAt,
  fields.durationMinutes,
  fields.timeZone,
  fields.recurrence,
  JSON.stringify(fields.exceptions),
]

const findIn = async (
  transaction: Queryable,
  { workspaceId, endUserId }: CalendarOwner,
  eventId: string,
): Promise<StoredEvent | undefined> => {
  const [event] = await transaction.query<StoredEvent>(
    `select ${columns} from events where workspace_id = $1 and end_user_id = $2 and id = $3`,
    [workspaceId, endUserId, eventId],
  )
  return event
}

export const createCalendarRepository = (database: Database) => ({
  /**
   * All events that may have occurrences from `fromMs` up to `toMs` in any time zone, and possibly others. All recurring
   * events are among them.
   */
  list: ({ workspaceId, endUserId }: CalendarOwner, fromMs: number, toMs: number): Promise<StoredEvent[]> =>
    database.inWorkspace(workspaceId, (transaction) =>
      transaction.query<StoredEvent>(
        `select ${columns} from events
         where workspace_id = $1 and end_user_id = $2
           and (recurrence is not null or (starts_at >= ${wallOf('$3')} and starts_at < ${wallOf('$4')}))
         order by starts_at, id`,
        [workspaceId, endUserId, fromMs - maxOffsetMs, toMs + maxOffsetMs],
      ),
    ),

  find: (owner: CalendarOwner, eventId: string): Promise<StoredEvent | undefined> =>
    database.inWorkspace(owner.workspaceId, (transaction) => findIn(transaction, owner, eventId)),

  /** Rejects with `invalid_request` when the calendar is full. */
  create: (owner: CalendarOwner, fields: EventFields): Promise<StoredEvent> =>
    database.inWorkspace(owner.workspaceId, async (transaction) => {
      await lockCalendar(transaction, owner)
      await refuseWhenFull(transaction, owner, fields)
      const [created] = await transaction.query<StoredEvent>(
        `insert into events
           (workspace_id, end_user_id, title, starts_at, duration_minutes, time_zone, recurrence, exceptions)
         values ($1, $2, $3, ${wallOf('$4')}, $5, $6, $7, $8)
         returning ${columns}`,
        values(owner, fields),
      )
      return created!
    }),

  /** Runs `work` in a transaction, which is rolled back when it rejects. Resolves to undefined when there is no such event. */
  whileLocked: <Result>(
    owner: CalendarOwner,
    eventId: string,
    work: (locked: LockedEvent) => Promise<Result>,
  ): Promise<Result | undefined> =>
    database.inWorkspace(owner.workspaceId, async (transaction) => {
      await lockCalendar(transaction, owner)
      const event = await findIn(transaction, owner, eventId)
      return (
        event &&
        work({
          event,
          async update(fields) {
            const [updated] = await transaction.query<StoredEvent>(
              `update events set title = $3, starts_at = ${wallOf('$4')}, duration_minutes = $5, time_zone = $6,
                 recurrence = $7, exceptions = $8, changed_at = clock_timestamp()
               where workspace_id = $1 and end_user_id = $2 and id = $9
               returning ${columns}`,
              [...values(owner, fields), eventId],
            )
            return updated!
          },
          async remove() {
            await transaction.query('delete from events where workspace_id = $1 and end_user_id = $2 and id = $3', [
              owner.workspaceId,
              owner.endUserId,
              eventId,
            ])
          },
        })
      )
    }),

  /** The generation of the end user's calendar: random bytes that change when the calendar is deleted. */
  generationOf: (owner: CalendarOwner): Promise<Buffer> =>
    database.inWorkspace(owner.workspaceId, (transaction) => lockCalendar(transaction, owner)),

  async hasGeneration({ workspaceId, endUserId }: CalendarOwner, generation: Buffer): Promise<boolean> {
    const found = await database.inWorkspace(workspaceId, (transaction) =>
      transaction.query('select from calendars where workspace_id = $1 and end_user_id = $2 and generation = $3', [
        workspaceId,
        endUserId,
        generation,
      ]),
    )
    return found.length === 1
  },

  /** Deletes the calendar and resolves to the number of its events. */
  remove: ({ workspaceId, endUserId }: CalendarOwner): Promise<number> =>
    database.inWorkspace(workspaceId, async (transaction) => {
      const owner = [workspaceId, endUserId]
      // Writers of events lock the calendar first, so it is locked first here. It is deleted last, since events refer to it.
      await transaction.query('select from calendars where workspace_id = $1 and end_user_id = $2 for update', owner)
      const removed = await transaction.query(
        'delete from events where workspace_id = $1 and end_user_id = $2 returning id',
        owner,
      )
      await transaction.query('delete from calendars where workspace_id = $1 and end_user_id = $2', owner)
      return removed.length
    }),
})

export type CalendarRepository = ReturnType<typeof createCalendarRepository>
