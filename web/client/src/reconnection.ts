import { ParlanceError } from './parlance-error.js'

/** By then the service has ended the session. */
const giveUpMs = 12_000
const attemptLimitMs = 4_000
const firstPauseMs = 250
const longestPauseMs = 2_000

export interface ReconnectionOptions {
  /** Whether the connection was open. Before that there is none to open again. */
  hasOpened(): boolean
  /** Opens the connection again. Rejects when the signal is aborted. A `ParlanceError` that is not retryable ends the attempts. */
  attempt(signal: AbortSignal): Promise<void>
  /** The network was lost. */
  onAway(): void
  /** All attempts failed. */
  onLost(): void
}

export interface Reconnection {
  /** Does nothing before the connection was open, and while attempts are in progress. */
  begin(): void
  /** No listener is called afterwards. */
  close(): void
}

/** The kind of network, where the browser tells it. Its other changes, such as of the bandwidth, do not matter. */
const networkKind = (): unknown => networkInformation()?.type
const networkInformation = () => (navigator as { connection?: EventTarget & { readonly type?: string } }).connection

/** Opens a lost connection again, also when the browser reports another network. */
export const createReconnection = (options: ReconnectionOptions): Reconnection => {
  const { hasOpened, attempt, onAway, onLost } = options
  const closing = new AbortController()
  const { signal: closed } = closing
  let isTrying = false
  let kind = networkKind()

  const tryUntilConnected = async (): Promise<void> => {
    const giveUpAtMs = performance.now() + giveUpMs
    let pauseMs = firstPauseMs
    while (!closed.aborted) {
      const leftMs = giveUpAtMs - performance.now()
      if (leftMs <= 0) return onLost()
      try {
        return await attempt(AbortSignal.timeout(Math.min(attemptLimitMs, leftMs)))
      } catch (error) {
        if (error instanceof ParlanceError && !error.retryable) return closed.aborted ? undefined : onLost()
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
      pauseMs = Math.min(2 * pauseMs, longestPauseMs)
    }
  }

  const begin = (): void => {
    if (isTrying || closed.aborted || !hasOpened()) return
    isTrying = true
    onAway()
    void tryUntilConnected().finally(() => {
      isTrying = false
    })
  }

  window.addEventListener('offline', onAway, { signal: closed })
  window.addEventListener('online', begin, { signal: closed })
  const onNetwork = () => {
    if (networkKind() === kind) return
    kind = networkKind()
    begin()
  }
  networkInformation()?.addEventListener('change', onNetwork, { signal: closed })

  return { begin, close: () => closing.abort() }
}
