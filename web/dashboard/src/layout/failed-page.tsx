import type { ErrorComponentProps } from '@tanstack/react-router'
import { Page } from '../shared/page.js'
import { ProblemAlert } from '../shared/problem-alert.js'

/** In place of a page that failed. What surrounds it stays. */
export const FailedPage = ({ error, reset }: ErrorComponentProps) => (
  <Page title="This page failed">
    <ProblemAlert error={error} retry={reset} />
  </Page>
)
