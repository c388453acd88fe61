/**
 * The health of a server: a circuit breaker that is closed again by a cheap probe and not by the utterance of a client.
 *
 * - It opens after a number of failures in a row. While it is open, only the probe calls the server.
 * - After a successful probe the first utterance is a trial: when it fails, the breaker opens again at once, for longer.
 * - A healthy server is probed periodically, which keeps a connection open and detects the failure of an idle server.
 */
import { backoffMs, jitteredMs } from '@parlance/async'

interface ServerHealthOptions {
  /** Rejects when the server is not healthy. */
  readonly probe: () => Promise<void>
  readonly failuresUntilUnhealthy: number
  readonly probeIntervalMs: number
  readonly firstRetryMs: number
  readonly maxRetryMs: number
  readonly onChange: (healthy: boolean) => void
}

/** Resolves after the first probe, whatever its result. */
export const openServerHealth = async (options: ServerHealthOptions) => {
  const { probe, failuresUntilUnhealthy, probeIntervalMs, firstRetryMs, maxRetryMs, onChange } = options
  let healthy = false
  /** Failed utterances in a row. */
  let failures = 0
  /** Failed probes in a row. */
  let unanswered = 0
  /** Failures of any kind since the last successful utterance; each doubles the delay of the next probe. */
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
  const probeLater = () => probeIn(backoffMs({ firstMs: firstRetryMs, maxMs: maxRetryMs }, ++setbacks))

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
    probeIn(jitteredMs(probeIntervalMs))
    set(true)
  }

  await ask()
  return {
    healthy: (): boolean => healthy,
    /** An utterance succeeded. */
    succeeded(): void {
      failures = 0
      setbacks = 0
    },
    /** An utterance failed. */
    failed,
    close(): void {
      closed = true
      clearTimeout(timer)
    },
  }
}

export type ServerHealth = Awaited<ReturnType<typeof openServerHealth>>
