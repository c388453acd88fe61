/**
 * Whether a server is worth asking: a circuit breaker that is closed again by a cheap question of ours and not by somebody's
 * utterance.
 *
 * - It opens after so many failures in a row. While it is open nobody asks but the probe.
 * - After the probe was answered the first utterance is on trial: if it fails, the breaker opens again at once, for longer.
 * - While all is well the probe goes on now and then, which keeps a connection warm and tells of a server nobody talks to.
 */
import { jittered } from './retry-delay.js'

export interface ServerHealthOptions {
  /** Rejects when the server is not well. */
  readonly probe: () => Promise<void>
  readonly failuresUntilUnhealthy: number
  readonly probeIntervalMs: number
  readonly firstRetryMs: number
  readonly maxRetryMs: number
  readonly onChange: (healthy: boolean) => void
}

export interface ServerHealth {
  healthy(): boolean
  /** Of an utterance. */
  succeeded(): void
  failed(): void
  close(): void
}

/** Resolves when the server has been asked once, whatever it answered. */
export const openServerHealth = async (options: ServerHealthOptions): Promise<ServerHealth> => {
  const { probe, failuresUntilUnhealthy, probeIntervalMs, firstRetryMs, maxRetryMs, onChange } = options
  let healthy = false
  /** Of utterances, in a row. */
  let failures = 0
  /** Questions of ours, in a row. */
  let unanswered = 0
  /** What went wrong since an utterance last went well; each makes us come back later. */
  let setbacks = 0
  let closed = false
  let timer: NodeJS.Timeout | undefined

  const set = (value: boolean) => {
    if (value === healthy) return
    healthy = value
    onChange(value)
  }
  const probeIn = (ms: number) => {
    clearTimeout(timer)
    if (!closed) timer = setTimeout(ask, ms)
  }
  const probeLater = () => probeIn(jittered(Math.min(firstRetryMs * 2 ** setbacks++, maxRetryMs)))

  const failed = () => {
    failures++
    if (!healthy || failures < failuresUntilUnhealthy) return
    probeLater()
    set(false)
  }

  const ask = async () => {
    const answered = await probe().then(
      () => true,
      () => false,
    )
    if (closed) return
    if (!answered) {
      unanswered++
      probeLater()
      if (unanswered >= failuresUntilUnhealthy) set(false)
      return
    }
    unanswered = 0
    if (!healthy) failures = setbacks === 0 ? 0 : failuresUntilUnhealthy - 1
    else if (failures === 0) setbacks = 0
    probeIn(jittered(probeIntervalMs))
    set(true)
  }

  await ask()
  return {
    healthy: () => healthy,
    succeeded() {
      failures = 0
      setbacks = 0
    },
    failed,
    close() {
      closed = true
      clearTimeout(timer)
    },
  }
}
