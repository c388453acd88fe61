import type { ReactNode } from 'react'
import { Loading } from './loading.js'
import { OutdatedNotice } from './outdated-notice.js'
import { ProblemAlert } from './problem-alert.js'

export interface LoadedProps<Data> {
  readonly query: {
    readonly data: Data | undefined
    readonly error: unknown
    readonly isPending: boolean
    /** Whether `error` is of the next page of a list, which its button shows. */
    readonly isFetchNextPageError?: boolean
    refetch(): unknown
  }
  readonly children: (data: Data) => ReactNode
}

/** Shows the data of a query, that it is loading, or its error. Loaded data remains when a reload fails. */
export const Loaded = <Data,>({ query, children }: LoadedProps<Data>) => {
  const { data, error, isPending, isFetchNextPageError = false } = query
  if (data === undefined) {
    return isPending ? <Loading /> : <ProblemAlert error={error} retry={() => query.refetch()} />
  }
  return (
    <>
      {error !== null && !isFetchNextPageError && <OutdatedNotice error={error} retry={() => query.refetch()} />}
      {children(data)}
    </>
  )
}
