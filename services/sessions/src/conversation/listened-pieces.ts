import { createQueue } from '@parlance/async'
import { type ListenedPiece, listenedAudio } from '@parlance/contracts'
import type { AudioTap } from '../media/audio-tap.js'
import { createTwoChannelFrames, twoChannelFrameSamples } from '../media/audio-tap.js'
import { frameMs } from '../media/transport.js'

const pieceFrames = listenedAudio.pieceMs / frameMs

/** One second: older audio is useless to a person who listens live. */
const maxWaitingPieces = 1_000 / listenedAudio.pieceMs

export interface ListenedCall {
  readonly audioTap: Pick<AudioTap, 'listen'>
  /** Resolves when the conversation has ended. Never rejects. */
  readonly over: Promise<void>
}

/**
 * The audio of a conversation from now on, until it ends or `signal` is aborted. The conversation never waits for a reader: at
 * most a second of audio is kept for it, and the oldest is dropped.
 */
export async function* listenedPieces(
  { audioTap, over }: ListenedCall,
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
