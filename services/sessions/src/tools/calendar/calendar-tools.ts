/**
 * Tools for the calendar of the conversation's user. The conversation sets the user, never the model. Tools only propose
 * changes: see `confirmation.ts`.
 */
import { ServiceError } from '@parlance/contracts'
import type { OpenTools } from '../open-tools.js'
import type { Tool } from '../tool.js'
import { confirmArguments, listArguments } from './calendar-arguments.js'
import { type CalendarClient, createCalendarReader } from './calendar-reader.js'
import { createCalendarTool } from './calendar-tool.js'
import { cancellationTool, creationTool, moveTool } from './change-tools.js'
import { type Confirmation, createConfirmation } from './confirmation.js'
import { createLocalClock } from './local-clock.js'
import { describeEvent, type UserCalendar } from './user-calendar.js'

const maxListed = 40

/** The tool that does what was proposed. */
export const confirmingTool = 'calendar_confirm'

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

const openUserCalendar = (options: CalendarToolsOptions): UserCalendar => {
  const { calendar, timeZone, requestId, confirmation, now = Date.now } = options
  const owner = { workspace_id: options.workspaceId, end_user_id: options.endUserId }
  const clock = createLocalClock(timeZone)
  return {
    calendar,
    owner,
    reader: createCalendarReader({ calendar, owner, clock, requestId }),
    clock,
    confirmation,
    calling: { context: { requestId } },
    asOf: `All times are on the user's clock (${timeZone}), which showed ${clock.words(now())} when the conversation began.`,
  }
}

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

export const createCalendarTools = (options: CalendarToolsOptions): readonly Tool[] => {
  const user = openUserCalendar(options)
  return [listTool(user), creationTool(user), moveTool(user), cancellationTool(user), confirmationTool(user)]
}

/** Opens the tools when the published revision has a calendar and the conversation has an end user. */
export const createOpenCalendarTools =
  (calendar: CalendarClient): OpenTools =>
  ({ workspaceId, endUserId, timeZone, requestId, config }) => {
    if (!config.calendar_enabled || endUserId === null) return []
    const confirmation = createConfirmation({ language: config.stt_config.language })
    return createCalendarTools({ calendar, workspaceId, endUserId, timeZone, requestId, confirmation })
  }
