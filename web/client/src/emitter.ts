export interface Emitter<Events> {
  /** Returns what unsubscribes. */
  on<Name extends keyof Events>(name: Name, listener: (payload: Events[Name]) => void): () => void
  emit<Name extends keyof Events>(name: Name, payload: Events[Name]): void
}

/** A listener that throws keeps no other from hearing; what it throws goes where a page's uncaught errors go. */
export const createEmitter = <Events>(): Emitter<Events> => {
  const listeners = new Map<keyof Events, Set<(payload: never) => void>>()

  return {
    on(name, listener) {
      const heard = listeners.get(name) ?? new Set()
      listeners.set(name, heard)
      // A function of its own, so that one listener can stand here twice.
      const own = (payload: never) => listener(payload)
      heard.add(own)
      return () => heard.delete(own)
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
