/** An iterable of what is pushed into it, for one reader; it ends after `end`. */
export interface Pushed<Item> extends AsyncIterable<Item> {
  push(...items: Item[]): void
  end(): void
}

export const createPushed = <Item>(): Pushed<Item> => {
  const items: Item[] = []
  let ended = false
  let wake = () => {}

  return {
    push(...more) {
      items.push(...more)
      wake()
    },
    end() {
      ended = true
      wake()
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const item = items.shift()
        if (item !== undefined) yield item
        else if (ended) return
        else
          await new Promise<void>((resolve) => {
            wake = resolve
          })
      }
    },
  }
}
