import { Button, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import type { List } from '../api/lists.js'
import { Loaded } from './loaded.js'
import { ProblemAlert } from './problem-alert.js'

interface PagedListProps<Row> {
  readonly list: List<Row>
  /** Shown in place of a list without a row. */
  readonly empty: ReactNode
  /** On the button that loads the next page, such as "Show older entries". */
  readonly more: string
  readonly children: (rows: readonly Row[]) => ReactNode
}

/** The loaded rows of a list, with the button that loads the next page. */
export const PagedList = <Row,>({ list, empty, more, children }: PagedListProps<Row>) => (
  <Loaded query={list} empty={empty}>
    {(rows) => (
      <Stack aria-busy={list.isPlaceholderData}>
        {children(rows)}
        {list.hasNextPage && (
          <Stack align="center" gap="sm">
            {list.isFetchNextPageError && <ProblemAlert error={list.error} />}
            <Button variant="default" loading={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
              {more}
            </Button>
          </Stack>
        )}
      </Stack>
    )}
  </Loaded>
)
