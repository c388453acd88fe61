import { createQueue } from '@parlance/async'
import type { HandlerContext } from '@parlance/bus'
import { type AuditActor, type AuditEvent, type ListenedPiece, listenedAudio } from '@parlance/contracts'
import { createTwoChannelFrames, twoChannelFrameSamples } from '../media/audio-tap.js'
import { frameMs } from '../media/transport.js'
import type { LiveSession } from './live-session.js'

/** The number of members who may listen to one conversation at once: each costs the instance a little work. */
export const maxListeners = 10

interface ListenHandlerOptions {
  /** Adds an event to the audit log of a workspace. Rejects when that fails. */
  audit(workspaceId: string, event: AuditEvent): Promise<void>
}

type ListenedSession = Pick<LiveSession, 'id' | 'audioTap' | 'over'> & {
  readonly place: Pick<LiveSession['place'], 'workspace_id' | 'agent_id'>
}
type Context = Pick<HandlerContext<'concurrency_limited'>, 'fail' | 'signal'>

/** Lets members listen to live conversations of this process. */
export const createListenHandler = ({ audit }: ListenHandlerOptions) => {
  const listeners = new WeakMap<object, number>()
  const countOf = (session: object): number => listeners.get(session) ?? 0

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
      // If this process stops between the two, an entry without audio is better than audio without an entry.
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

const pieceFrames = listenedAudio.pieceMs / frameMs

/** One second. Older audio is useless to a member who listens live. */
const maxWaitingPieces = 1_000 / listenedAudio.pieceMs

/**
 * The audio of a conversation from now on, until it ends or `signal` is aborted. The conversation never waits for a reader: at
 * most a second of audio is kept for it, and the oldest is dropped.
 */
export async function* listenedPieces(
  { audioTap, over }: Pick<LiveSession, 'audioTap' | 'over'>,
  signal: AbortSignal,
): AsyncGenerator<ListenedPiece> {
  const joinFrames = createTwoChannelFrames()
  const queue = createQueue<ListenedPiece>()
  const latest: ListenedPiece[] = []
  let samples = new Int16Array(pieceFrames * twoChannelFrameSamples)
  let frames = 0

  const push = (piece: ListenedPiece): void => {
    queue.push(piece)
    latest.push(piece)
    // Does nothing for a piece that was taken.
    if (latest.length > maxWaitingPieces) queue.remove(latest.shift()!)
  }
  const leave = audioTap.listen((pair) => {
    samples.set(joinFrames(pair), (frames % pieceFrames) * twoChannelFrameSamples)
    frames += 1
    if (frames % pieceFrames !== 0) return
    push({ at_ms: (frames - pieceFrames) * frameMs, data: new Uint8Array(samples.buffer) })
    samples = new Int16Array(samples.length)
  })
  void over.then(queue.end)

  try {
    yield { at_ms: 0, data: new Uint8Array(0) }
    for (let piece = await queue.take(signal); piece !== undefined; piece = await queue.take(signal)) yield piece
  } finally {
    leave()
  }
}
