export interface Emitter<Events> {
  /** Returns a function that unsubscribes. */
  on<Name extends keyof Events>(name: Name, listener: (payload: Events[Name]) => void): () => void
  emit<Name extends keyof Events>(name: Name, payload: Events[Name]): void
}

/**
 * A listener that throws does not affect the others. Its error becomes an uncaught error of the page. `onListening` is called
 * when an event gets its first listener, and when its last one unsubscribes.
 */
export const createEmitter = <Events>(
  onListening: (name: keyof Events, isListening: boolean) => void,
): Emitter<Events> => {
  const listeners = new Map<keyof Events, Set<(payload: never) => void>>()

  return {
    on(name, listener) {
      const ofName = listeners.get(name) ?? new Set()
      listeners.set(name, ofName)
      // One listener may subscribe twice, so each subscription is a function of its own.
      const own = (payload: never) => listener(payload)
      ofName.add(own)
      if (ofName.size === 1) onListening(name, true)
      return () => {
        if (ofName.delete(own) && ofName.size === 0) onListening(name, false)
      }
    },
    emit(name, payload) {
      for (const listener of [...(listeners.get(name) ?? [])]) {
        try {
          listener(payload as never)
        } catch (error) {
          queueMicrotask(() => {
            throw error
          })
        }
      }
    },
  }
}

/** A value that is reported when it changes, with the value before. */
export interface Reported<Value> {
  get(): Value
  set(next: Value): void
}

export const createReported = <Value>(
  initial: Value,
  report: (value: Value, before: Value) => void,
): Reported<Value> => {
  let value = initial
  return {
    get: () => value,
    set(next) {
      const before = value
      if (before === next) return
      value = next
      report(next, before)
    },
  }
}
