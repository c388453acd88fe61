import type { EventPlan, Occurrence } from '@parlance/contracts'
import type { ToolContext } from '../tool.js'
import { describeEvent, type UserCalendar } from './user-calendar.js'

/** Begins the result of every tool that proposes a change. */
export const askAloud =
  'Nothing is changed yet. Tell the user exactly this, with the name of the event, ask whether to do it, and end your turn. ' +
  'When the user then says yes, call calendar_confirm.'

/** A change that gives an event or an occurrence a time. */
export interface EventChange {
  words(plan: EventPlan): string
  /** The event after the change, with its conflicts. */
  plan(): Promise<EventPlan>
  carryOut(): Promise<unknown>
}

/** Identifies a conflict. */
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
export const proposeChange = async (
  user: UserCalendar,
  change: EventChange,
  { turn, signal }: Pick<ToolContext, 'turn' | 'signal'>,
): Promise<string> => {
  const plan = await change.plan()
  signal.throwIfAborted()
  return offer(user, change, plan, turn)
}
