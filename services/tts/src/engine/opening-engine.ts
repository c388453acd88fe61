/**
 * An engine that takes a while to open, and can be spoken of meanwhile: what its voices are is known before, from the
 * files of its model. Until it is open it is not healthy, so nobody is sent to it; if it never opens it stays so.
 */
import { ServiceError } from '@parlance/contracts'
import type { Engine } from './engine.js'

/** What is known of an engine before it is open. */
export type KnownEngine = Pick<Engine, 'name' | 'info' | 'synthesis' | 'sampleRateHz' | 'voices' | 'capacity'>

export interface OpeningEngine {
  readonly engine: Engine
  /** Opens it, once, and answers whether it is open: not when it was closed meanwhile. Rejects with why it cannot be. */
  open(): Promise<boolean>
}

/** `openIt` leaves nothing running when it rejects; the signal is aborted when nobody waits for it any more. */
export const createOpeningEngine = (
  known: KnownEngine,
  openIt: (signal: AbortSignal) => Promise<Engine>,
): OpeningEngine => {
  const closing = new AbortController()
  const listeners = new Set<() => void>()
  let opening = Promise.resolve(false)
  let opened: Engine | undefined

  const tellListeners = () => {
    for (const listener of [...listeners]) listener()
  }

  const openOnce = async (): Promise<boolean> => {
    try {
      opened = await openIt(closing.signal)
    } catch (error) {
      if (!closing.signal.aborted) throw error
    }
    if (opened === undefined || closing.signal.aborted) return false
    opened.onHealthChange(tellListeners)
    if (opened.healthy()) tellListeners()
    return true
  }

  const engine: Engine = {
    ...known,
    get info() {
      return { ...known.info, ...opened?.info }
    },
    active: () => opened?.active() ?? 0,
    healthy: () => opened?.healthy() ?? false,
    onHealthChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async *speak(utterance, options) {
      options.signal.throwIfAborted()
      if (closing.signal.aborted) throw new ServiceError('draining', 'The service is shutting down. Try again.')
      if (opened === undefined)
        throw new ServiceError('upstream_error', 'The speech engine is not ready. Try again later.')
      yield* opened.speak(utterance, options)
    },
    close: async () => {
      closing.abort()
      await opening.catch(() => {})
      await opened?.close()
    },
  }

  return {
    engine,
    open: () => {
      if (!closing.signal.aborted) opening = openOnce()
      return opening
    },
  }
}
