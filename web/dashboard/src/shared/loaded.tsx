import { Button, Center, Group, Loader, Text } from '@mantine/core'
import { CloudOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { isNotFound, problemOf } from '../api/problem.js'
import { ProblemAlert } from './problem-alert.js'

/** Shown while something loads. */
export const Loading = () => (
  <Center mih={160} role="status">
    <Loader size="sm" aria-label="Loading" />
  </Center>
)

interface OutdatedNoticeProps {
  /** Why the data could not be reloaded. */
  readonly error: unknown
  retry(): void
}

/** Shown above data that may be outdated. */
const OutdatedNotice = ({ error, retry }: OutdatedNoticeProps) => (
  <Group role="status" gap="xs" wrap="nowrap" align="center">
    <CloudOff style={{ flex: 'none' }} />
    <Text c="dimmed">Not up to date. {problemOf(error).detail}</Text>
    {!isNotFound(error) && (
      <Button size="compact-sm" variant="default" flex="none" onClick={retry}>
        Try again
      </Button>
    )}
  </Group>
)

interface LoadedProps<Data> {
  readonly query: {
    readonly data: Data | undefined
    readonly error: unknown
    readonly isPending: boolean
    /** Whether `error` is of the next page of a list, which its button shows. */
    readonly isFetchNextPageError?: boolean
    refetch(): unknown
  }
  /** Shown in place of an empty list. */
  readonly empty?: ReactNode
  readonly children: (data: Data) => ReactNode
}

/** Shows the data of a query, that it is loading, or its error. Loaded data remains when a reload fails. */
export const Loaded = <Data,>({ query, empty, children }: LoadedProps<Data>) => {
  const { data, error, isPending, isFetchNextPageError = false } = query
  if (data === undefined) {
    return isPending ? <Loading /> : <ProblemAlert error={error} retry={() => query.refetch()} />
  }
  return (
    <>
      {error !== null && !isFetchNextPageError && <OutdatedNotice error={error} retry={() => query.refetch()} />}
      {Array.isArray(data) && data.length === 0 && empty !== undefined ? empty : children(data)}
    </>
  )
}
