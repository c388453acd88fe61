/** What one side makes in its own time and one reader takes in another. */
export interface EventBuffer<Event extends object> extends AsyncIterable<Event> {
  push(event: Event): void
  /** The reader gets what is there, then the end. */
  end(): void
  /** The reader gets the error next, and nothing of what it has not taken yet. The first end or failure counts. */
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
