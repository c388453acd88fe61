/**
 * An engine that takes a while to open, whose voices are known before from the files of its model. It is not healthy until it
 * is open, so no requests are sent to it.
 */
import { draining, ServiceError } from '@parlance/contracts'
import type { Engine } from './engine.js'

/** The properties of an engine that are known before it is open. */
type KnownEngine = Pick<Engine, 'name' | 'info' | 'synthesis' | 'isPiecewise' | 'sampleRateHz' | 'voices' | 'capacity'>

/** `openIt` leaves nothing running when it rejects. Its signal is aborted when the engine is closed. */
export const createOpeningEngine = (known: KnownEngine, openIt: (signal: AbortSignal) => Promise<Engine>) => {
  const closing = new AbortController()
  const listeners = new Set<() => void>()
  let opening = Promise.resolve(false)
  let opened: Engine | undefined

  const notifyListeners = () => {
    for (const listener of [...listeners]) listener()
  }

  const openOnce = async (): Promise<boolean> => {
    try {
      opened = await openIt(closing.signal)
    } catch (error) {
      if (!closing.signal.aborted) throw error
    }
    if (opened === undefined || closing.signal.aborted) return false
    opened.onHealthChange(notifyListeners)
    if (opened.healthy()) notifyListeners()
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
      if (closing.signal.aborted) throw draining()
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
    /**
     * Opens the engine, once. Resolves with whether it is open; false when it was closed meanwhile. Rejects when it cannot be
     * opened.
     */
    open: (): Promise<boolean> => {
      if (!closing.signal.aborted) opening = openOnce()
      return opening
    },
  }
}

export type OpeningEngine = ReturnType<typeof createOpeningEngine>
