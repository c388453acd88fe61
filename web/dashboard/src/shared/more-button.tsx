import { Button, Stack } from '@mantine/core'
import { ProblemAlert } from './problem-alert.js'

export interface MoreButtonProps {
  readonly list: {
    readonly hasNextPage: boolean
    readonly isFetchingNextPage: boolean
    readonly isFetchNextPageError: boolean
    readonly error: unknown
    fetchNextPage(): unknown
  }
  /** Such as "Show older entries". */
  readonly label: string
}

/** Loads the next part of a list, if there is one. */
export const MoreButton = ({ list, label }: MoreButtonProps) =>
  list.hasNextPage && (
    <Stack align="center" gap="sm">
      {list.isFetchNextPageError && <ProblemAlert error={list.error} />}
      <Button variant="default" loading={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
        {label}
      </Button>
    </Stack>
  )
