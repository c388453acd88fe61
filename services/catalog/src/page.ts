/** An entry of an ordered list. Its `sortKey` does not depend on other entries. */
export interface Sorted<Item> {
  readonly sortKey: string
  readonly item: Item
}

/**
 * Returns a page of a list that is ordered by `sortKey`. The cursor is the key of the last entry of the previous page, so
 * pages neither repeat nor skip entries when the list changes between requests. Undefined for an invalid cursor.
 */
export const page = <Item>(
  list: readonly Sorted<Item>[],
  limit: number,
  cursor: string | undefined,
): { items: Item[]; nextCursor: string | null } | undefined => {
  const after = cursor === undefined ? '' : decodeCursor(cursor)
  if (after === undefined) return undefined
  const rest = cursor === undefined ? list : list.filter(({ sortKey }) => sortKey > after)
  const shown = rest.slice(0, limit)
  return {
    items: shown.map(({ item }) => item),
    nextCursor: shown.length < rest.length ? encodeCursor(shown[shown.length - 1]!.sortKey) : null,
  }
}

const encodeCursor = (sortKey: string): string => Buffer.from(sortKey).toString('base64url')

const decodeCursor = (cursor: string): string | undefined => {
  const sortKey = Buffer.from(cursor, 'base64url').toString()
  return cursor !== '' && encodeCursor(sortKey) === cursor ? sortKey : undefined
}
