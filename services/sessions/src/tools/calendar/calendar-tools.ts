/**
 * Tools for the calendar of the conversation's user. The conversation sets the user, never the model. Tools only propose
 * changes: see `confirmation.ts`.
 */
import { type EventPlan, type Occurrence, ServiceError } from '@parlance/contracts'
import type { z } from 'zod'
import type { OpenTools, Tool, ToolContext, ToolResult } from '../tool.js'
import {
  cancelArguments,
  confirmArguments,
  createArguments,
  listArguments,
  moveArguments,
  parametersOf,
} from './calendar-arguments.js'
import {
  type CalendarClient,
  type CalendarOwner,
  type CalendarReader,
  createCalendarReader,
  createLocalClock,
  type LocalClock,
} from './calendar-reader.js'
import { type Confirmation, createConfirmation } from './confirmation.js'

/** What the calendar tools of one conversation share. */
interface UserCalendar {
  readonly calendar: CalendarClient
  readonly owner: CalendarOwner
  readonly reader: CalendarReader
  readonly clock: LocalClock
  readonly confirmation: Confirmation
  /** The options of calls that change the calendar or plan a change. */
  readonly calling: { readonly context: { readonly requestId: string } }
  /**
   * A sentence for the model: the time zone of all times, and the time when the conversation began. Models have no clock, and
   * the time in their prompt is UTC.
   */
  readonly asOf: string
}

const describeEvent = (
  clock: LocalClock,
  { title, starts_at, ends_at }: Pick<Occurrence, 'title' | 'starts_at' | 'ends_at'>,
): string => `${JSON.stringify(title)}, ${clock.span(starts_at, ends_at)}`

const timeoutMs = 5_000

/** Creates a tool that parses its arguments, and describes faults so that a model can correct them. */
const createCalendarTool = <Schema extends z.ZodType>(
  name: string,
  description: string,
  schema: Schema,
  run: (args: z.output<Schema>, context: ToolContext) => Promise<string>,
): Tool => ({
  name,
  description,
  parameters: parametersOf(schema),
  timeoutMs,
  async call(given, context): Promise<ToolResult> {
    const args = schema.safeParse(given)
    if (!args.success) {
      const [issue] = args.error.issues
      return { text: `${issue?.path.join('.') || 'The arguments'}: ${issue?.message}`, isError: true }
    }
    try {
      return { text: await run(args.data, context), isError: false }
    } catch (error) {
      if (!(error instanceof ServiceError) || !['invalid_request', 'not_found'].includes(error.code)) throw error
      return { text: error.detail, isError: true }
    }
  },
})

/** Begins the result of every tool that proposes a change. */
const askAloud =
  'Nothing is changed yet. Tell the user exactly this, with the name of the event, ask whether to do it, and end your turn. ' +
  'When the user then says yes, call calendar_confirm.'

/** A change that gives an event or an occurrence a time. */
interface EventChange {
  words(plan: EventPlan): string
  /** The event after the change, with its conflicts. */
  plan(): Promise<EventPlan>
  carryOut(): Promise<unknown>
}

const keyOf = ({ event_id, starts_at }: Occurrence) => `${event_id} ${starts_at}`

/** Proposes the planned change in a turn. When it is confirmed and has new conflicts by then, it is proposed again. */
const offer = (user: UserCalendar, change: EventChange, plan: EventPlan, turn: number): string => {
  const known = new Set(plan.conflicts.map(keyOf))
  user.confirmation.propose(
    {
      cancelling: false,
      title: plan.title,
      async carryOut(confirmedIn) {
        const now = await change.plan()
        if (now.conflicts.some((conflict) => !known.has(keyOf(conflict)))) {
          return `Something else has come up meanwhile. ${offer(user, change, now, confirmedIn)}`
        }
        await change.carryOut()
        return `Done: ${change.words(now)}.`
      },
    },
    turn,
  )
  return `${askAloud}\n${change.words(plan)}. ${describeConflicts(user, plan.conflicts)}`
}

const describeConflicts = ({ clock }: UserCalendar, conflicts: readonly Occurrence[]): string =>
  conflicts.length === 0
    ? 'Nothing else takes place at that time.'
    : `At the same time: ${conflicts.map((conflict) => describeEvent(clock, conflict)).join('; ')}. Tell the user of that.`

/** Plans the change and proposes it. Resolves with text for the model. */
const proposeChange = async (
  user: UserCalendar,
  change: EventChange,
  { turn, signal }: Pick<ToolContext, 'turn' | 'signal'>,
): Promise<string> => {
  const plan = await change.plan()
  signal.throwIfAborted()
  return offer(user, change, plan, turn)
}

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

const creationTool = (user: UserCalendar): Tool => {
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

const moveTool = (user: UserCalendar): Tool => {
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

const cancellationTool = (user: UserCalendar): Tool => {
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

const maxListed = 40

/** The name of the tool that carries out what was proposed. */
export const confirmingTool = 'calendar_confirm'

const listTool = ({ reader, clock, asOf }: UserCalendar): Tool =>
  createCalendarTool(
    'calendar_list',
    `What the user has on. ${asOf} Call it before you move or cancel anything.`,
    listArguments,
    async ({ from, to }, { signal }) => {
      const occurrences = await reader.onDays(from, to, signal)
      if (occurrences.length === 0) return 'Nothing takes place on these days.'
      const lines = occurrences.slice(0, maxListed).map((occurrence) => {
        const recurring = occurrence.recurring ? `, recurs, occurrence ${clock.time(occurrence.starts_at)}` : ''
        return `- ${describeEvent(clock, occurrence)} (event_id ${occurrence.event_id}${recurring})`
      })
      const more = occurrences.length - lines.length
      return [...lines, ...(more > 0 ? [`And ${more} more: ask for fewer days.`] : [])].join('\n')
    },
  )

const confirmationTool = ({ confirmation }: UserCalendar): Tool =>
  createCalendarTool(
    confirmingTool,
    'Does what was proposed last. Only right after the user has answered your question with yes.',
    confirmArguments,
    async (_args, { turn, userText, playedText }) => {
      const taken = confirmation.take({ turn, userText, playedText })
      if ('refusal' in taken) throw new ServiceError('invalid_request', `Nothing was changed. ${taken.refusal}`)
      return taken.proposal.carryOut(turn)
    },
  )

/** Opens the tools when the published revision has a calendar and the conversation has an end user. */
export const createOpenCalendarTools =
  (calendar: CalendarClient): OpenTools =>
  ({ workspaceId, endUserId, timeZone, requestId, config }) => {
    if (!config.calendar_enabled || endUserId === null) return []
    const owner = { workspace_id: workspaceId, end_user_id: endUserId }
    const clock = createLocalClock(timeZone)
    const user: UserCalendar = {
      calendar,
      owner,
      reader: createCalendarReader({ calendar, owner, clock, requestId }),
      clock,
      confirmation: createConfirmation(config.stt_config.language),
      calling: { context: { requestId } },
      asOf: `All times are on the user's clock (${timeZone}), which showed ${clock.words(Date.now())} when the conversation began.`,
    }
    return [listTool(user), creationTool(user), moveTool(user), cancellationTool(user), confirmationTool(user)]
  }
