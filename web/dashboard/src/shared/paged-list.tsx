import { Button, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { Loaded, type LoadedProps } from './loaded.js'
import { ProblemAlert } from './problem-alert.js'

export interface PagedListProps<Page, Item> {
  readonly query: LoadedProps<{ readonly pages: readonly Page[] }>['query'] & {
    readonly hasNextPage: boolean
    readonly isFetchingNextPage: boolean
    readonly isFetchNextPageError: boolean
    fetchNextPage(): unknown
  }
  readonly itemsOf: (page: Page) => readonly Item[]
  /** Shown in place of a list without an item. */
  readonly empty: ReactNode
  /** On the button that loads the next page, such as "Show older entries". */
  readonly more: string
  readonly children: (items: readonly Item[]) => ReactNode
}

/** The pages of a list that are loaded, as one list, with the button that loads the next one. */
export const PagedList = <Page, Item>({ query, itemsOf, empty, more, children }: PagedListProps<Page, Item>) => (
  <Loaded query={query}>
    {({ pages }) => {
      const items = pages.flatMap(itemsOf)
      if (items.length === 0) return empty
      return (
        <Stack>
          {children(items)}
          {query.hasNextPage && (
            <Stack align="center" gap="sm">
              {query.isFetchNextPageError && <ProblemAlert error={query.error} />}
              <Button variant="default" loading={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
                {more}
              </Button>
            </Stack>
          )}
        </Stack>
      )
    }}
  </Loaded>
)
