import type { liveSessionsContract } from '@parlance/contracts'
import type { z } from 'zod'

export type PeerChunk = z.input<(typeof liveSessionsContract)['methods']['attach']['chunk']>

/** What a peer is sent, for one reader at a time. */
export interface PeerOutlet {
  /** False when so much waits that the peer takes nothing any more. Audio that is too late to be heard is dropped. */
  push(chunk: PeerChunk): boolean
  /** What waits and what comes, until `end`, or until another reader begins. */
  read(signal: AbortSignal): AsyncGenerator<PeerChunk>
  /** The reader is given what waits, then it is over. */
  end(): void
  /** Resolves when nothing waits any more. */
  emptied(): Promise<void>
}

/** Speech that is older than this when it could be sent is no longer part of a conversation, in frames of 20 ms. */
const mostFrames = 100
const mostMessages = 2_000

export const createPeerOutlet = (): PeerOutlet => {
  const chunks: PeerChunk[] = []
  let frames = 0
  let ended = false
  let reader = 0
  let wake = () => {}
  let onEmpty = () => {}

  const dropOldestFrame = (): void => {
    const index = chunks.findIndex(({ kind }) => kind === 'audio')
    chunks.splice(index, 1)
    frames -= 1
  }

  return {
    push(chunk) {
      if (ended) return true
      if (chunk.kind === 'audio') {
        frames += 1
        if (frames > mostFrames) dropOldestFrame()
      }
      chunks.push(chunk)
      wake()
      return chunks.length - frames <= mostMessages
    },
    async *read(signal) {
      const own = ++reader
      wake()
      const onAbort = () => wake()
      signal.addEventListener('abort', onAbort)
      try {
        while (own === reader && !signal.aborted) {
          const chunk = chunks.shift()
          if (chunk !== undefined) {
            if (chunk.kind === 'audio') frames -= 1
            yield chunk
            if (chunks.length === 0) onEmpty()
          } else if (ended) return
          else
            await new Promise<void>((resolve) => {
              wake = resolve
            })
        }
      } finally {
        signal.removeEventListener('abort', onAbort)
      }
    },
    end() {
      ended = true
      wake()
    },
    async emptied() {
      if (chunks.length === 0) return
      await new Promise<void>((resolve) => {
        onEmpty = resolve
      })
    },
  }
}
