/**
 * Who changes a calendar holds the lock on its row meanwhile: of two changes at once the second sees what the first has done.
 * A calendar is there from the first time that somebody needs it.
 */
import { randomBytes } from 'node:crypto'
import { ServiceError } from '@parlance/contracts'
import type { Database, Queryable } from '@parlance/store'
import type { EventFields, StoredEvent } from './stored-event.js'

export interface CalendarOwner {
  readonly workspaceId: string
  readonly endUserId: string
}

/** An event that nobody else changes meanwhile. */
export interface LockedEvent {
  readonly event: StoredEvent
  update(fields: EventFields): Promise<StoredEvent>
  remove(): Promise<void>
}

export interface CalendarRepository {
  /** At least those that may take place on walls' clocks from one time up to another; whatever recurs is among them. */
  list(owner: CalendarOwner, fromMs: number, toMs: number): Promise<StoredEvent[]>
  find(owner: CalendarOwner, eventId: string): Promise<StoredEvent | undefined>
  /** Throws `invalid_request` when the calendar is full. */
  create(owner: CalendarOwner, fields: EventFields): Promise<StoredEvent>
  /** When `work` rejects nothing has changed. Undefined when there is no such event. */
  whileLocked<Result>(
    owner: CalendarOwner,
    eventId: string,
    work: (locked: LockedEvent) => Promise<Result>,
  ): Promise<Result | undefined>
  /** Of the calendar that this end user has now. */
  generationOf(owner: CalendarOwner): Promise<Buffer>
  hasGeneration(owner: CalendarOwner, generation: Buffer): Promise<boolean>
  /** The calendar, and how many events were in it. */
  remove(owner: CalendarOwner): Promise<number>
}

export const mostEvents = 1_000
/** They are what costs time to look at. */
export const mostRecurring = 50

const msOf = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`
const wallOf = (parameter: string) => `timestamp 'epoch' + ${parameter}::float8 * interval '1 millisecond'`

const columns = `id, title, ${msOf('starts_at')} as "startsAt", duration_minutes as "durationMinutes",
  time_zone as "timeZone", recurrence, exceptions, ${msOf('created_at')} as "createdAtMs",
  ${msOf('changed_at')} as "changedAtMs"`

/** No clock on a wall is as far from UTC's. */
const widestOffsetMs = 26 * 3_600_000

const lockCalendar = async (transaction: Queryable, { workspaceId, endUserId }: CalendarOwner): Promise<Buffer> => {
  const [calendar] = await transaction.query<{ generation: Buffer }>(
    `insert into calendars as standing (workspace_id, end_user_id, generation) values ($1, $2, $3)
     on conflict (workspace_id, end_user_id) do update set generation = standing.generation
     returning generation`,
    [workspaceId, endUserId, randomBytes(8)],
  )
  return calendar!.generation
}

const refuseWhereFull = async (
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
  if (events >= mostEvents) {
    throw new ServiceError('invalid_request', `The calendar is full: it has ${mostEvents} events. Cancel some.`)
  }
  if (recurrence !== null && recurring >= mostRecurring) {
    throw new ServiceError('invalid_request', `The calendar has ${mostRecurring} recurring events. Cancel some.`)
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

export const createCalendarRepository = (database: Database): CalendarRepository => ({
  list: ({ workspaceId, endUserId }, fromMs, toMs) =>
    database.inWorkspace(workspaceId, (transaction) =>
      transaction.query<StoredEvent>(
        `select ${columns} from events
         where workspace_id = $1 and end_user_id = $2
           and (recurrence is not null or (starts_at >= ${wallOf('$3')} and starts_at < ${wallOf('$4')}))
         order by starts_at, id`,
        [workspaceId, endUserId, fromMs - widestOffsetMs, toMs + widestOffsetMs],
      ),
    ),

  find: (owner, eventId) =>
    database.inWorkspace(owner.workspaceId, (transaction) => findIn(transaction, owner, eventId)),

  create: (owner, fields) =>
    database.inWorkspace(owner.workspaceId, async (transaction) => {
      await lockCalendar(transaction, owner)
      await refuseWhereFull(transaction, owner, fields)
      const [created] = await transaction.query<StoredEvent>(
        `insert into events
           (workspace_id, end_user_id, title, starts_at, duration_minutes, time_zone, recurrence, exceptions)
         values ($1, $2, $3, ${wallOf('$4')}, $5, $6, $7, $8)
         returning ${columns}`,
        values(owner, fields),
      )
      return created!
    }),

  whileLocked: (owner, eventId, work) =>
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

  generationOf: (owner) => database.inWorkspace(owner.workspaceId, (transaction) => lockCalendar(transaction, owner)),

  async hasGeneration({ workspaceId, endUserId }, generation) {
    const found = await database.inWorkspace(workspaceId, (transaction) =>
      transaction.query('select from calendars where workspace_id = $1 and end_user_id = $2 and generation = $3', [
        workspaceId,
        endUserId,
        generation,
      ]),
    )
    return found.length === 1
  },

  remove: ({ workspaceId, endUserId }) =>
    database.inWorkspace(workspaceId, async (transaction) => {
      const owner = [workspaceId, endUserId]
      // The calendar first, as whoever writes an event locks it first; it stays while there are events that name it.
      await transaction.query('select from calendars where workspace_id = $1 and end_user_id = $2 for update', owner)
      const removed = await transaction.query(
        'delete from events where workspace_id = $1 and end_user_id = $2 returning id',
        owner,
      )
      await transaction.query('delete from calendars where workspace_id = $1 and end_user_id = $2', owner)
      return removed.length
    }),
})
