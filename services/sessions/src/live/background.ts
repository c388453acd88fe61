import type { CallContext, Client } from '@parlance/bus'
import type { AgentConfig, calendarContract, memoryContract, Occurrence } from '@parlance/contracts'
import type { Logger } from '@parlance/telemetry'
import type { Background } from '../conversation/conversation.js'

export interface BackgroundOptions {
  readonly memory: Pick<Client<typeof memoryContract>, 'recall'>
  readonly calendar: Pick<Client<typeof calendarContract>, 'listOccurrences'>
  readonly logger: Logger
  readonly now?: () => Date
}

export interface BackgroundRequest {
  readonly workspaceId: string
  readonly agentId: string
  /** Of nobody nothing is known. */
  readonly endUserId: string | null
  readonly config: Pick<AgentConfig, 'memory_enabled' | 'calendar_enabled'>
  readonly metadata: Background['metadata']
  readonly context: CallContext
}

/** Asks what the published revision may know. Never rejects: what cannot be told in time is left out. */
export type FetchBackground = (request: BackgroundRequest) => Promise<Background>

/** What is remembered is read with every turn. */
const tokenBudget = 800
const mostAppointments = 30
const aheadMs = 7 * 24 * 60 * 60 * 1000
/** Later it would change what the model was told in the turns before. */
const deadlineMs = 2_000

const dayAndTime = { weekday: 'long', day: 'numeric', month: 'long', hour: '2-digit', minute: '2-digit' } as const

/** On the clock of the time zone that it was made in. */
const appointmentLine = ({ title, starts_at, ends_at, time_zone }: Occurrence): string => {
  const times = new Intl.DateTimeFormat('en-GB', { ...dayAndTime, timeZone: time_zone })
  return `${times.formatRange(new Date(starts_at), new Date(ends_at))} (${time_zone}): ${title}`
}

export const createFetchBackground = (options: BackgroundOptions): FetchBackground => {
  const { memory, calendar, logger, now = () => new Date() } = options

  return async ({ workspaceId, agentId, endUserId, config, metadata, context }) => {
    if (endUserId === null) return { memories: [], appointments: [], metadata }
    const owner = { workspace_id: workspaceId, end_user_id: endUserId }

    const orNothing = async (name: string, enabled: boolean, ask: () => Promise<readonly string[]>) => {
      if (!enabled) return []
      try {
        return await ask()
      } catch (err) {
        logger.warn(
          { requestId: context.requestId, component: name, err },
          'A conversation begins without what is known of its user',
        )
        return []
      }
    }

    const recall = async () => {
      const request = { ...owner, agent_id: agentId, token_budget: tokenBudget }
      return (await memory.recall(request, { context, deadlineMs })).facts.map(({ text }) => text)
    }
    const look = async () => {
      const from = now()
      const to = new Date(from.getTime() + aheadMs)
      const week = { from: from.toISOString(), to: to.toISOString() }
      const { occurrences } = await calendar.listOccurrences({ ...owner, ...week }, { context, deadlineMs })
      return occurrences.slice(0, mostAppointments).map(appointmentLine)
    }
    const [memories, appointments] = await Promise.all([
      orNothing('memory', config.memory_enabled, recall),
      orNothing('calendar', config.calendar_enabled, look),
    ])
    return { memories, appointments, metadata }
  }
}
