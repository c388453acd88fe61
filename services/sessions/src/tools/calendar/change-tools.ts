/** The tools that propose changes to the calendar of the conversation's user. They change nothing: see `confirmation.ts`. */
import { type EventPlan, type Occurrence, ServiceError } from '@parlance/contracts'
import type { Tool } from '../tool.js'
import { cancelArguments, createArguments, moveArguments } from './calendar-arguments.js'
import { createCalendarTool } from './calendar-tool.js'
import { askAloud, proposeChange } from './propose-change.js'
import { describeEvent, type UserCalendar } from './user-calendar.js'

/** The occurrence that begins at the local time, or undefined without a time. Rejects with `not_found` when there is none. */
const findOccurrence = async (
  { reader }: UserCalendar,
  eventId: string,
  time: string | undefined,
  signal: AbortSignal,
): Promise<Occurrence | undefined> => {
  if (time === undefined) return undefined
  const occurrence = await reader.occurrenceAt(eventId, time, signal)
  if (occurrence !== undefined) return occurrence
  throw new ServiceError('not_found', 'The event does not begin then. Call calendar_list for when it does.')
}

export const creationTool = (user: UserCalendar): Tool => {
  const { calendar, owner, clock, calling, asOf } = user
  return createCalendarTool(
    'calendar_create',
    `Proposes a new event. ${asOf} Nothing is made before the user has said yes and calendar_confirm was called after that.`,
    createArguments,
    ({ time_zone = clock.timeZone, recurrence = null, ...draft }, context) => {
      const event = { ...draft, time_zone, recurrence }
      const often = recurrence === null ? '' : `, again by the rule ${recurrence}`
      const change = {
        words: (plan: EventPlan) => `New event ${describeEvent(clock, plan)}${often}`,
        plan: () => calendar.planEvent({ ...owner, event }, calling),
        carryOut: () => calendar.createEvent({ ...owner, event }, calling),
      }
      return proposeChange(user, change, context)
    },
  )
}

export const moveTool = (user: UserCalendar): Tool => {
  const { calendar, owner, clock, calling } = user
  return createCalendarTool(
    'calendar_move',
    'Proposes to move an event. Nothing is moved before the user has said yes and calendar_confirm was called after that.',
    moveArguments,
    async ({ event_id, occurrence: time, starts_at, duration_minutes }, context) => {
      const occurrence = await findOccurrence(user, event_id, time, context.signal)
      const move = {
        ...owner,
        event_id,
        starts_at,
        duration_minutes,
        time_zone: clock.timeZone,
        occurrence_starts_at: occurrence?.starts_at,
      }
      const which = (plan: EventPlan) =>
        occurrence === undefined ? (plan.recurring ? 'all from the next on, ' : '') : `only the one of ${time}, `
      const change = {
        words: (plan: EventPlan) => `Move, ${which(plan)}to ${describeEvent(clock, plan)}`,
        plan: () => calendar.planMove(move, calling),
        carryOut: () => calendar.moveEvent(move, calling),
      }
      return proposeChange(user, change, context)
    },
  )
}

export const cancellationTool = (user: UserCalendar): Tool => {
  const { calendar, owner, clock, calling, confirmation } = user
  return createCalendarTool(
    'calendar_cancel',
    'Proposes to cancel an event. Nothing is cancelled before the user has said yes and calendar_confirm was called after that.',
    cancelArguments,
    async ({ event_id, occurrence: time }, { turn, signal }) => {
      const occurrence = await findOccurrence(user, event_id, time, signal)
      const event = await calendar.getEvent({ ...owner, event_id }, { ...calling, signal })
      const all = `${JSON.stringify(event.title)}${event.recurrence === null ? '' : ', all of its occurrences'}`
      const words = `Cancel ${occurrence === undefined ? all : describeEvent(clock, occurrence)}`
      signal.throwIfAborted()
      confirmation.propose(
        {
          cancelling: true,
          title: event.title,
          async carryOut() {
            await calendar.cancelEvent({ ...owner, event_id, occurrence_starts_at: occurrence?.starts_at }, calling)
            return `Done: ${words}.`
          },
        },
        turn,
      )
      return `${askAloud}\n${words}.`
    },
  )
}
