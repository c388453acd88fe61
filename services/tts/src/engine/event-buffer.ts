/** A buffer of events between a producer and one reader. */
export interface EventBuffer<Event extends object> extends AsyncIterable<Event> {
  push(event: Event): void
  /** Ends the events: the reader gets those in the buffer, then the end. */
  end(): void
  /** Fails the events: the reader gets the error next and no more events. Only the first end or failure has an effect. */
  fail(error: unknown): void
}

export const createEventBuffer = <Event extends object>(): EventBuffer<Event> => {
  const waiting: Event[] = []
  let outcome: 'open' | 'ended' | { readonly error: unknown } = 'open'
  let wake = () => {}

  const settle = (reached: typeof outcome) => {
    if (outcome === 'open') outcome = reached
    wake()
  }

  return {
    push: (event) => {
      waiting.push(event)
      wake()
    },
    end: () => settle('ended'),
    fail: (error) => settle({ error }),

    async *[Symbol.asyncIterator]() {
      for (;;) {
        if (typeof outcome === 'object') throw outcome.error
        const event = waiting.shift()
        if (event !== undefined) yield event
        else if (outcome === 'ended') return
        else {
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        }
      }
    },
  }
}
