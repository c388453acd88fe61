interface ListPage {
  readonly next_cursor: string | null
}

/** Resolves to all pages of a list, one request after the other. Rejects as `read` does. */
export const allPages = async <Page extends ListPage>(
  read: (query: { limit: number; cursor?: string }) => Promise<{ data?: Page | undefined }>,
): Promise<Page[]> => {
  const pages: Page[] = []
  let cursor: string | null | undefined
  do {
    const { data } = await read({ limit: 100, ...(cursor && { cursor }) })
    pages.push(data!)
    cursor = data!.next_cursor
  } while (cursor !== null)
  return pages
}

/** For `api.useInfiniteQuery`: the next page of a list begins at the cursor of the one before. */
export const inPages = {
  initialPageParam: null,
  getNextPageParam: ({ next_cursor }: ListPage) => next_cursor,
}

/** For `refetchInterval`: a person who reads older pages keeps them where they are. */
export const whileOnFirstPage =
  <Data extends { readonly pages: readonly unknown[] }>(intervalOf: (data: Data | undefined) => number | false) =>
  ({ state: { data } }: { readonly state: { readonly data: Data | undefined } }) =>
    (data?.pages.length ?? 0) <= 1 && intervalOf(data)

/** How many items a page shows at first, and how many more each time. */
export const itemsPerPage = 50
