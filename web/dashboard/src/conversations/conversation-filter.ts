import * as z from 'zod/mini'
import { keyOf, searchOf } from '../shared/search.js'
import { endReasons, statuses } from './conversation-words.js'

/** The maximum length of a text in the API. */
export const maxSaid = 200

/** The filter of the list, which is in the URL of the page. Dates are inclusive days such as "2026-01-31". */
export const conversationFilterOf = searchOf({
  agent: z.guid(),
  end_user: z.guid(),
  status: keyOf(statuses),
  reason: keyOf(endReasons),
  /** Text in a message, in any case. */
  said: z.string().check(z.maxLength(maxSaid), z.regex(/\S/)),
  from: z.iso.date(),
  to: z.iso.date(),
})

export type ConversationFilter = ReturnType<typeof conversationFilterOf>

/** The beginning of a day in the person's time zone; with `daysLater`, of a later day. */
const beginningOf = (day: string, daysLater = 0): string => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + daysLater).toISOString()
}

/** The filter as the query of the API. */
export const queryOf = ({ agent, end_user, status, reason, said, from, to }: ConversationFilter) => ({
  ...(agent !== undefined && { agent_id: agent }),
  ...(end_user !== undefined && { end_user_id: end_user }),
  ...(status !== undefined && { status }),
  ...(reason !== undefined && { end_reason: reason }),
  ...(said !== undefined && { text: said }),
  ...(from !== undefined && { started_after: beginningOf(from) }),
  ...(to !== undefined && { started_before: beginningOf(to, 1) }),
})

export const isFiltered = (filter: ConversationFilter): boolean => Object.keys(filter).length > 0
