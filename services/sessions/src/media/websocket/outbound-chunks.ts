import type { Sink } from '@parlance/async/push-stream'
import type { SessionSocketChunk } from '@parlance/contracts'

/** Of 20 ms each. Older speech is no longer part of the conversation. */
const maxAudioFrames = 100
const maxMessages = 2_000

interface Connection {
  readonly send: Sink<SessionSocketChunk>
  readonly close: () => void
  /** `send` has asked to wait. */
  isBlocked: boolean
}

/** Queues chunks for a client, which has one connection at a time. */
export const createOutboundChunks = () => {
  const chunks: SessionSocketChunk[] = []
  let audioFrames = 0
  let isEnded = false
  let connection: Connection | undefined
  let onDrained = () => {}

  const dropOldestFrame = (): void => {
    const index = chunks.findIndex(({ kind }) => kind === 'audio')
    chunks.splice(index, 1)
    audioFrames -= 1
  }

  const sendNext = (current: Connection): void => {
    const chunk = chunks.shift()!
    if (chunk.kind === 'audio') audioFrames -= 1
    const sent = current.send(chunk)
    if (sent === undefined) return
    current.isBlocked = true
    void sent.then(() => {
      current.isBlocked = false
      sendAll(current)
    })
  }
  const sendAll = (current: Connection): void => {
    while (current === connection && !current.isBlocked && chunks.length > 0) sendNext(current)
    if (current !== connection || current.isBlocked) return
    onDrained()
    if (isEnded) current.close()
  }

  return {
    /** Returns false when so many messages wait that the client cannot be reading. Audio that is too old is dropped. */
    push(chunk: SessionSocketChunk): boolean {
      if (isEnded) return true
      if (chunk.kind === 'audio') {
        audioFrames += 1
        if (audioFrames > maxAudioFrames) dropOldestFrame()
      }
      chunks.push(chunk)
      if (connection !== undefined) sendAll(connection)
      return chunks.length - audioFrames <= maxMessages
    },
    /**
     * Sends the waiting chunks, and those that arrive later, with `send`. Resolves after `end` when nothing waits, or when the
     * next connection starts.
     */
    connect(send: Sink<SessionSocketChunk>): Promise<void> {
      connection?.close()
      return new Promise((resolve) => {
        connection = { send, close: resolve, isBlocked: false }
        sendAll(connection)
      })
    },
    /** The connection is lost. Chunks wait for the next one. */
    disconnect() {
      connection?.close()
      connection = undefined
    },
    /** Accepts no more chunks. Those that wait are still sent. */
    end() {
      isEnded = true
      if (connection !== undefined) sendAll(connection)
    },
    /** Resolves when nothing waits. */
    async drained() {
      if (connection === undefined || (chunks.length === 0 && !connection.isBlocked)) return
      await new Promise<void>((resolve) => {
        onDrained = resolve
      })
    },
  }
}
