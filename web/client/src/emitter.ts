export interface Emitter<Events> {
  /** Returns a function that unsubscribes. */
  on<Name extends keyof Events>(name: Name, listener: (payload: Events[Name]) => void): () => void
  emit<Name extends keyof Events>(name: Name, payload: Events[Name]): void
}

/** A listener that throws does not affect the others. Its error becomes an uncaught error of the page. */
export const createEmitter = <Events>(): Emitter<Events> => {
  const listeners = new Map<keyof Events, Set<(payload: never) => void>>()

  return {
    on(name, listener) {
      const ofName = listeners.get(name) ?? new Set()
      listeners.set(name, ofName)
      // One listener may subscribe twice, so each subscription is a function of its own.
      const own = (payload: never) => listener(payload)
      ofName.add(own)
      return () => ofName.delete(own)
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
