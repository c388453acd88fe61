/**
 * Tools for the calendar of the conversation's user, whom the conversation sets and never the model. Tools only propose
 * changes: see `confirmation.ts`.
 */
import { type EventPlan, type Occurrence, ServiceError } from '@parlance/contracts'
import type { z } from 'zod'
import type { OpenTools } from '../open-tools.js'
import type { Tool, ToolContext, ToolResult } from '../tool.js'
import {
  cancelArguments,
  confirmArguments,
  createArguments,
  listArguments,
  moveArguments,
  parametersOf,
} from './calendar-arguments.js'
import { type CalendarClient, createCalendarReader } from './calendar-reader.js'
import { type Confirmation, createConfirmation } from './confirmation.js'
import { createLocalClock } from './local-clock.js'

const timeoutMs = 5_000
const maxListed = 40

const askAloud =
  'Nothing is changed yet. Tell the user exactly this, with the name of the event, ask whether to do it, and end your turn. ' +
  'When the user then says yes, call calendar_confirm.'

/** Identifies a conflict. */
const keyOf = ({ event_id, starts_at }: Occurrence) => `${event_id} ${starts_at}`

/** Creates a tool that parses its arguments, and reports faults in words by which a model can correct them. */
const createTool = <Schema extends z.ZodType>(
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

interface CalendarToolsOptions {
  readonly calendar: CalendarClient
  readonly workspaceId: string
  readonly endUserId: string
  readonly timeZone: string
  readonly requestId: string
  readonly confirmation: Confirmation
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

export const createCalendarTools = (options: CalendarToolsOptions): readonly Tool[] => {
  const { calendar, timeZone, requestId, confirmation, now = Date.now } = options
  const owner = { workspace_id: options.workspaceId, end_user_id: options.endUserId }
  const clock = createLocalClock(timeZone)
  const reader = createCalendarReader({ calendar, owner, clock, requestId })
  const calling = { context: { requestId } }

  /** Models have no clock, and the time in their prompt is UTC. */
  const asOf = `All times are on the user's clock (${timeZone}), which showed ${clock.words(now())} when the conversation began.`

  const describe = ({ title, starts_at, ends_at }: Pick<Occurrence, 'title' | 'starts_at' | 'ends_at'>) =>
    `${JSON.stringify(title)}, ${clock.span(starts_at, ends_at)}`

  const conflictsIn = (conflicts: readonly Occurrence[]) =>
    conflicts.length === 0
      ? 'Nothing else takes place at that time.'
      : `At the same time: ${conflicts.map(describe).join('; ')}. Tell the user of that.`

  /** Proposes a change. When it is confirmed and has new conflicts by then, it is proposed again. */
  const propose = async (
    words: (plan: EventPlan) => string,
    makePlan: () => Promise<EventPlan>,
    carryOut: () => Promise<unknown>,
    context: Pick<ToolContext, 'turn' | 'signal'>,
  ): Promise<string> => {
    const offer = (plan: EventPlan, turn: number): string => {
      const known = new Set(plan.conflicts.map(keyOf))
      confirmation.propose(
        {
          cancelling: false,
          title: plan.title,
          async carryOut(confirmedIn) {
            const now = await makePlan()
            if (now.conflicts.some((conflict) => !known.has(keyOf(conflict)))) {
              return `Something else has come up meanwhile. ${offer(now, confirmedIn)}`
            }
            await carryOut()
            return `Done: ${words(now)}.`
          },
        },
        turn,
      )
      return `${askAloud}\n${words(plan)}. ${conflictsIn(plan.conflicts)}`
    }
    const plan = await makePlan()
    context.signal.throwIfAborted()
    return offer(plan, context.turn)
  }

  const findOccurrence = async (eventId: string, time: string | undefined, signal: AbortSignal) => {
    if (time === undefined) return undefined
    const occurrence = await reader.occurrenceAt(eventId, time, signal)
    if (occurrence !== undefined) return occurrence
    throw new ServiceError('not_found', 'The event does not begin then. Call calendar_list for when it does.')
  }

  return [
    createTool(
      'calendar_list',
      `What the user has on. ${asOf} Call it before you move or cancel anything.`,
      listArguments,
      async ({ from, to }, { signal }) => {
        const occurrences = await reader.onDays(from, to, signal)
        if (occurrences.length === 0) return 'Nothing takes place on these days.'
        const lines = occurrences.slice(0, maxListed).map((occurrence) => {
          const recurring = occurrence.recurring ? `, recurs, occurrence ${clock.time(occurrence.starts_at)}` : ''
          return `- ${describe(occurrence)} (event_id ${occurrence.event_id}${recurring})`
        })
        const more = occurrences.length - lines.length
        return [...lines, ...(more > 0 ? [`And ${more} more: ask for fewer days.`] : [])].join('\n')
      },
    ),

    createTool(
      'calendar_create',
      `Proposes a new event. ${asOf} Nothing is made before the user has said yes and calendar_confirm was called after that.`,
      createArguments,
      ({ time_zone = timeZone, recurrence = null, ...draft }, context) => {
        const event = { ...draft, time_zone, recurrence }
        const often = recurrence === null ? '' : `, again by the rule ${recurrence}`
        return propose(
          (plan) => `New event ${describe(plan)}${often}`,
          () => calendar.planEvent({ ...owner, event }, calling),
          () => calendar.createEvent({ ...owner, event }, calling),
          context,
        )
      },
    ),

    createTool(
      'calendar_move',
      'Proposes to move an event. Nothing is moved before the user has said yes and calendar_confirm was called after that.',
      moveArguments,
      async ({ event_id, occurrence: time, starts_at, duration_minutes }, context) => {
        const occurrence = await findOccurrence(event_id, time, context.signal)
        const move = {
          ...owner,
          event_id,
          starts_at,
          duration_minutes,
          time_zone: timeZone,
          occurrence_starts_at: occurrence?.starts_at,
        }
        const which = (plan: EventPlan) =>
          occurrence === undefined ? (plan.recurring ? 'all from the next on, ' : '') : `only the one of ${time}, `
        return propose(
          (plan) => `Move, ${which(plan)}to ${describe(plan)}`,
          () => calendar.planMove(move, calling),
          () => calendar.moveEvent(move, calling),
          context,
        )
      },
    ),

    createTool(
      'calendar_cancel',
      'Proposes to cancel an event. Nothing is cancelled before the user has said yes and calendar_confirm was called after that.',
      cancelArguments,
      async ({ event_id, occurrence: time }, { turn, signal }) => {
        const occurrence = await findOccurrence(event_id, time, signal)
        const event = await calendar.getEvent({ ...owner, event_id }, { ...calling, signal })
        const all = `${JSON.stringify(event.title)}${event.recurrence === null ? '' : ', all of its occurrences'}`
        const words = `Cancel ${occurrence === undefined ? all : describe(occurrence)}`
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
    ),

    createTool(
      'calendar_confirm',
      'Does what was proposed last. Only right after the user has answered your question with yes.',
      confirmArguments,
      async (_args, { turn, userText, playedText }) => {
        const taken = confirmation.take({ turn, userText, playedText })
        if ('refusal' in taken) throw new ServiceError('invalid_request', `Nothing was changed. ${taken.refusal}`)
        return taken.proposal.carryOut(turn)
      },
    ),
  ]
}

/** Opens the tools when the published revision has a calendar and the conversation has an end user. */
export const createOpenCalendarTools =
  (calendar: CalendarClient): OpenTools =>
  ({ workspaceId, endUserId, timeZone, requestId, config }) => {
    if (!config.calendar_enabled || endUserId === null) return []
    const confirmation = createConfirmation({ language: config.stt_config.language })
    return createCalendarTools({ calendar, workspaceId, endUserId, timeZone, requestId, confirmation })
  }
