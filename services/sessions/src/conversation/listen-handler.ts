import type { HandlerContext } from '@parlance/bus'
import type { AuditActor, AuditEvent, ListenedPiece } from '@parlance/contracts'
import { type ListenedCall, listenedPieces } from './listened-pieces.js'

/** So many members of a workspace may listen to one conversation at once: each costs its instance a little work. */
export const maxListeners = 10

/** A conversation that is live in this process. */
interface ListenedSession extends ListenedCall {
  readonly id: string
  readonly place: { readonly workspace_id: string; readonly agent_id: string }
}

export interface ListenHandlerOptions {
  /** Adds an act to the audit log of a workspace. Rejects when it could not be. */
  audit(workspaceId: string, event: AuditEvent): Promise<void>
}

type Context = Pick<HandlerContext<'concurrency_limited'>, 'fail' | 'signal'>

/** Handles requests to listen to live conversations of this process. */
export const createListenHandler = ({ audit }: ListenHandlerOptions) => {
  const listeners = new WeakMap<ListenedSession, number>()
  const countOf = (session: ListenedSession): number => listeners.get(session) ?? 0

  return async function* listen(
    session: ListenedSession,
    actor: AuditActor,
    { fail, signal }: Context,
  ): AsyncGenerator<ListenedPiece> {
    if (countOf(session) >= maxListeners) {
      return fail(
        'concurrency_limited',
        `${maxListeners} members listen to this conversation. Try again when one has stopped.`,
      )
    }
    listeners.set(session, countOf(session) + 1)
    try {
      const { workspace_id: workspaceId, agent_id } = session.place
      // An entry without audio, after a failure between the two, is better than audio without an entry.
      await audit(workspaceId, {
        action: 'conversation.listened',
        actor,
        details: { session_id: session.id, agent_id },
      })
      yield* listenedPieces(session, signal)
    } finally {
      listeners.set(session, countOf(session) - 1)
    }
  }
}

export type ListenHandler = ReturnType<typeof createListenHandler>
