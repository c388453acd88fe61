import { type ConversationStatus, type EndReason, endReasons, statuses } from './conversation-words.js'

/** Which conversations the list has. It is in the address of the page. Dates are days such as "2026-01-31", both included. */
export interface ConversationFilter {
  agent?: string
  end_user?: string
  status?: ConversationStatus
  reason?: EndReason
  /** In a message, in any case. */
  said?: string
  from?: string
  to?: string
}

export const isId = (value: unknown): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(String(value))
const isStatus = (value: unknown): boolean => typeof value === 'string' && Object.hasOwn(statuses, value)
const isReason = (value: unknown): boolean => typeof value === 'string' && Object.hasOwn(endReasons, value)

/** As long as a text may be for the API. */
export const maxSaid = 200
const isSaid = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '' && value.length <= maxSaid
const isDay = (value: unknown): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(String(value)) && !Number.isNaN(Date.parse(String(value)))

const checks = {
  ...{ agent: isId, end_user: isId, status: isStatus, reason: isReason, said: isSaid },
  ...{ from: isDay, to: isDay },
} as const

/** What is valid in the address of the page. */
export const conversationFilterOf = (search: Record<string, unknown>): ConversationFilter =>
  Object.fromEntries(
    Object.entries(checks).flatMap(([name, isValid]) => (isValid(search[name]) ? [[name, search[name]]] : [])),
  )

/** The beginning of a day where the person is; with `daysLater`, of one after it. */
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
