import { readSync } from 'node:fs'
import { createFrameDecoder, type Frame, jsonOf, type SpeakCommand } from '../protocol/index.js'

/**
 * The commands on standard input. An engine that speaks without letting the event loop turn would hear of a `cancel`
 * only when it is done: while it speaks, the pipe is looked into from its own loop.
 */
export interface CommandPipe {
  /** The next job to be spoken, now or when it comes. */
  next(): Promise<{ job: number; command: SpeakCommand }>
  /** Takes in what has arrived, without waiting. Cheap enough to be called for every block of audio. */
  poll(): void
  isCancelled(job: number): boolean
  hasNext(): boolean
}

/** Looking into an empty pipe costs as much as a block of speech, and nobody notices a cancel this much later. */
const pollPeriodMs = 3

/** `onClosed` is called when the other side is gone. */
export const openCommandPipe = (onClosed: () => void): CommandPipe => {
  const decode = createFrameDecoder()
  const waiting: Frame[] = []
  let wake = () => {}
  /** Jobs are numbered in order, so cancelling one cancels nothing that comes later. */
  let cancelledUpTo = 0
  let lastPollMs = 0

  const take = (bytes: Uint8Array) => {
    for (const frame of decode(bytes)) {
      if (frame.kind === 'speak') waiting.push(frame)
      else if (frame.kind === 'cancel') cancelledUpTo = Math.max(cancelledUpTo, frame.job)
    }
    if (waiting.length > 0) wake()
  }

  // Reading through the stream also makes the descriptor non-blocking, which `poll` depends on.
  process.stdin.on('data', take)
  process.stdin.on('end', onClosed)
  process.stdin.on('error', onClosed)
  const buffer = new Uint8Array(64 * 1024)

  return {
    next: async () => {
      while (waiting.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      const frame = waiting.shift()!
      return { job: frame.job, command: jsonOf(frame) as SpeakCommand }
    },
    poll: () => {
      // There a read of an empty pipe waits; a job that is spoken in one go is then spoken to its end.
      if (process.platform === 'win32') return
      const nowMs = performance.now()
      if (nowMs - lastPollMs < pollPeriodMs) return
      lastPollMs = nowMs
      // That a pipe is empty is an error here, whose stack nobody reads and which costs more than the look.
      const { stackTraceLimit } = Error
      Error.stackTraceLimit = 0
      try {
        for (;;) {
          const length = readSync(0, buffer)
          if (length === 0) return onClosed()
          take(buffer.slice(0, length))
        }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      } finally {
        Error.stackTraceLimit = stackTraceLimit
      }
    },
    isCancelled: (job) => job <= cancelledUpTo,
    hasNext: () => waiting.length > 0,
  }
}
