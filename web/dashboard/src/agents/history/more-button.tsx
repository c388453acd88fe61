import { Button, Center } from '@mantine/core'

export interface MoreButtonProps {
  readonly list: { readonly hasNextPage: boolean; readonly isFetchingNextPage: boolean; fetchNextPage(): unknown }
}

/** Loads the older part of a list, if there is one. */
export const MoreButton = ({ list }: MoreButtonProps) =>
  list.hasNextPage && (
    <Center>
      <Button variant="default" loading={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
        Show older ones
      </Button>
    </Center>
  )
