import type { ReactNode } from 'react'
import { Loading } from './loading.js'
import { ProblemAlert } from './problem-alert.js'

export interface LoadedProps<Data> {
  readonly query: {
    readonly data: Data | undefined
    readonly error: unknown
    readonly isPending: boolean
    refetch(): unknown
  }
  readonly children: (data: Data) => ReactNode
}

/** What a query loads, or that it loads still, or why it failed. */
export const Loaded = <Data,>({ query, children }: LoadedProps<Data>) => {
  if (query.data !== undefined) return children(query.data)
  if (query.isPending) return <Loading />
  return <ProblemAlert error={query.error} retry={() => query.refetch()} />
}
