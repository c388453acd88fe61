/**
 * The processes of one recognizer. Each recognizes one utterance at a time.
 *
 * - At most `maxProcesses` run: one for each conversation in progress, and one for each utterance that waits.
 * - A process that was idle for `idleMs` ends, unless a conversation in progress needs it: each process takes memory.
 * - A process that ends by itself is replaced when the next utterance or conversation needs it.
 */
import {
  openRecognitionProcess,
  type RecognitionProcess,
  type RecognitionProcessOptions,
} from './recognition-process.js'

export interface RecognitionProcessPoolOptions extends RecognitionProcessOptions {
  readonly maxProcesses: number
  readonly idleMs: number
  /** A process has become idle, or one has ended and another may start. */
  onRoom(): void
  /** A process could not be started, and no other runs. */
  onUnavailable(cause: unknown): void
}

export interface RecognitionProcessPool {
  /** Counts a conversation in progress until the returned function is called, and starts a process where one is missing. */
  keepWarm(): () => void
  /** An idle process, which is busy until it is released. Undefined while all processes are busy. */
  take(): RecognitionProcess | undefined
  release(process: RecognitionProcess): void
  /** Starts processes until as many are starting as utterances wait. */
  startFor(waiting: number): void
  /** Ends all processes. */
  close(): Promise<void>
}

interface IdleProcess {
  readonly process: RecognitionProcess
  readonly timer: NodeJS.Timeout
}

export const createRecognitionProcessPool = (options: RecognitionProcessPoolOptions): RecognitionProcessPool => {
  const { logger, maxProcesses, idleMs, onRoom, onUnavailable } = options
  const closing = new AbortController()
  const running = new Set<RecognitionProcess>()
  const starting = new Set<Promise<void>>()
  /** The process that was busy last is at the end. */
  let idle: readonly IdleProcess[] = []
  /** Processes that were idle for `idleMs` and that a conversation needs. */
  const overdue = new Set<RecognitionProcess>()
  const ending = new Set<Promise<void>>()
  let conversations = 0

  const isSurplus = () => running.size > Math.min(conversations, maxProcesses)
  const hasRoom = () => running.size + starting.size < maxProcesses

  const start = () => {
    const started = openRecognitionProcess(options, closing.signal).then(
      (process) => {
        starting.delete(started)
        running.add(process)
        process.gone.addEventListener('abort', () => removeEnded(process), { once: true })
        release(process)
      },
      (error: unknown) => {
        starting.delete(started)
        if (closing.signal.aborted) return
        logger.error({ err: error }, 'An engine process could not be started')
        if (running.size === 0) onUnavailable(error)
      },
    )
    starting.add(started)
  }

  const removeEnded = (process: RecognitionProcess) => {
    running.delete(process)
    removeIdle(process)
    if (!closing.signal.aborted) onRoom()
  }

  const removeIdle = (process: RecognitionProcess) => {
    overdue.delete(process)
    clearTimeout(idle.find((entry) => entry.process === process)?.timer)
    idle = idle.filter((entry) => entry.process !== process)
  }

  const end = (process: RecognitionProcess) => {
    running.delete(process)
    removeIdle(process)
    const ended = process.close().then(() => void ending.delete(ended))
    ending.add(ended)
  }

  const release = (process: RecognitionProcess) => {
    if (process.gone.aborted || closing.signal.aborted) return
    const expire = () => {
      if (isSurplus()) end(process)
      else overdue.add(process)
    }
    idle = [...idle, { process, timer: setTimeout(expire, idleMs).unref() }]
    onRoom()
  }

  return {
    keepWarm() {
      conversations++
      if (running.size + starting.size < Math.min(conversations, maxProcesses)) start()
      let isKept = true
      return () => {
        if (!isKept) return
        isKept = false
        conversations--
        for (const process of overdue) if (isSurplus()) end(process)
      }
    },
    take() {
      const process = idle.at(-1)?.process
      if (process !== undefined) removeIdle(process)
      return process
    },
    release,
    startFor(waiting) {
      while (starting.size < waiting && hasRoom()) start()
    },
    async close() {
      closing.abort()
      await Promise.all(starting)
      await Promise.all([...ending, ...[...running].map((process) => process.close())])
    },
  }
}
