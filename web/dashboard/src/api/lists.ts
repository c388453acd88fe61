import { keepPreviousData, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query'
import { fetchApi } from './api.js'
import type { paths } from './schema.js'

interface ListPage {
  readonly next_cursor: string | null
}

/** Resolves to the items of all pages of a list, which are read one after the other. Rejects as `read` does. */
export const allItems = async <Page extends ListPage, Item>(
  read: (query: { limit: number; cursor?: string }) => Promise<{ data?: Page | undefined }>,
  itemsOf: (page: Page) => readonly Item[],
): Promise<Item[]> => {
  const items: Item[] = []
  let cursor: string | null | undefined
  do {
    const { data } = await read({ limit: 100, ...(cursor && { cursor }) })
    items.push(...itemsOf(data!))
    cursor = data!.next_cursor
  } while (cursor !== null)
  return items
}

interface ListRoute {
  readonly get: {
    readonly parameters: { readonly query?: object }
    readonly responses: { readonly 200: { readonly content: { readonly 'application/json': ListPage } } }
  }
}

/** The paths of lists. */
type ListPath = { [Path in keyof paths]: paths[Path] extends ListRoute ? Path : never }[keyof paths]
type Get<Path extends ListPath> = paths[Path] extends ListRoute ? paths[Path]['get'] : never
type PageOf<Path extends ListPath> = Get<Path>['responses'][200]['content']['application/json']

/** The rows that are loaded, with the way to load more. */
export type List<Row> = UseInfiniteQueryResult<Row[]>

interface ListOptions<Row> {
  /** How often the list is loaded again. A person who reads older pages keeps them where they are. */
  refreshMs?(rows: readonly Row[]): number | false
}

/** How many rows are shown at first, and how many more each time. */
const rowsPerPage = 50

/**
 * A list page by page, read from the API whenever it is shown. Rows of other parameters remain until those of the new ones are
 * loaded.
 */
export const useList = <Path extends ListPath, Row>(
  path: Path,
  params: Omit<Get<Path>['parameters'], 'header' | 'cookie'>,
  rowsOf: (page: PageOf<Path>) => Row[],
  { refreshMs }: ListOptions<Row> = {},
): List<Row> =>
  useInfiniteQuery({
    queryKey: ['get', path, params],
    queryFn: async ({ pageParam, signal }) => {
      const query = { ...params.query, limit: rowsPerPage, ...(pageParam && { cursor: pageParam }) }
      // The client has no type for a path that is one of several, so it is given one of them.
      const init = { params: { ...params, query }, signal }
      const { data } = await fetchApi.GET(path as '/dashboard/api/keys', init as Record<string, unknown>)
      return data as PageOf<Path>
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    select: ({ pages }) => pages.flatMap(rowsOf),
    staleTime: 0,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data: { pages } = { pages: [] } } }) =>
      pages.length <= 1 && (refreshMs?.(pages.flatMap(rowsOf)) ?? false),
  })
