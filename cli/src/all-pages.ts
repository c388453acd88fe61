export interface Page<Item> {
  readonly items: readonly Item[]
  /** Where the next page begins; null or undefined on the last one. */
  readonly nextCursor: string | null | undefined
}

/** Reads all pages of a list. Calls `onMore` with the number of items so far before each further page. */
export const allPages = async <Item>(
  readPage: (at: { cursor?: string }) => Promise<Page<Item>>,
  onMore: (count: number) => void,
): Promise<Item[]> => {
  const all: Item[] = []
  for (let at: { cursor?: string } | undefined = {}; at !== undefined; ) {
    const { items, nextCursor }: Page<Item> = await readPage(at)
    all.push(...items)
    at = nextCursor == null ? undefined : { cursor: nextCursor }
    if (at !== undefined) onMore(all.length)
  }
  return all
}
