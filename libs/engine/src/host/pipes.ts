import { readSync, writeSync } from 'node:fs'
import { createFrameDecoder, type Frame, jsonOf, type SpeakCommand } from '../protocol/index.js'

/** Reading an empty pipe costs as much as a block of speech, and a cancel may be this late. */
const pollPeriodMs = 3

/**
 * The commands on standard input. An engine that speaks in one tick of the event loop would read a `cancel` only at its end,
 * so it polls the pipe while it speaks. `onClosed` is called when the parent process has closed the pipe.
 */
export const openCommandPipe = (onClosed: () => void) => {
  const decode = createFrameDecoder()
  const waiting: Frame[] = []
  let wake = () => {}
  /** Jobs are numbered in order, so a cancel has no effect on later jobs. */
  let cancelledUpTo = 0
  let onCancel = () => {}
  let lastPollMs = 0

  const take = (bytes: Uint8Array) => {
    for (const frame of decode(bytes)) {
      if (frame.kind === 'speak') waiting.push(frame)
      else if (frame.kind === 'cancel') {
        cancelledUpTo = Math.max(cancelledUpTo, frame.job)
        onCancel()
      }
    }
    if (waiting.length > 0) wake()
  }

  // Reading through the stream also makes the descriptor non-blocking, which `poll` depends on.
  process.stdin.on('data', take)
  process.stdin.on('end', onClosed)
  process.stdin.on('error', onClosed)
  const buffer = new Uint8Array(64 * 1024)

  const isCancelled = (job: number) => job <= cancelledUpTo

  return {
    /** Resolves with the next job. */
    next: async (): Promise<{ job: number; command: SpeakCommand }> => {
      while (waiting.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      const frame = waiting.shift()!
      return { job: frame.job, command: jsonOf(frame) as SpeakCommand }
    },
    /** Reads the commands that have arrived, without waiting. It is cheap enough to be called for every block of audio. */
    poll: () => {
      // On Windows a read of an empty pipe blocks. A job that is spoken in one tick is then spoken to its end.
      if (process.platform === 'win32') return
      const nowMs = performance.now()
      if (nowMs - lastPollMs < pollPeriodMs) return
      lastPollMs = nowMs
      // An empty pipe is an error (EAGAIN) whose stack is not used and costs more than the read.
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
    isCancelled,
    /** Resolves when the job is cancelled. Replaces the promise of an earlier call. */
    whenCancelled: (job: number): Promise<void> =>
      new Promise((resolve) => {
        onCancel = () => {
          if (isCancelled(job)) resolve()
        }
        onCancel()
      }),
    hasNext: (): boolean => waiting.length > 0,
  }
}

export type CommandPipe = ReturnType<typeof openCommandPipe>

const clock = new Int32Array(new SharedArrayBuffer(4))

/**
 * Writes all of `bytes` to standard output before it returns: an engine may speak a whole text in one tick of the event loop,
 * and its audio must not wait for the end. Waits for a slow reader; ends the process when there is no reader.
 */
export const report = (bytes: Uint8Array): void => {
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(1, bytes, written)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EPIPE') process.exit(0)
      if (code !== 'EAGAIN') throw error
      Atomics.wait(clock, 0, 0, 1)
    }
  }
}
