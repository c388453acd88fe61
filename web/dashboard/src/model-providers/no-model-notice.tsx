import { Alert } from '@mantine/core'
import { TriangleAlert } from 'lucide-react'
import { PageAnchor } from '../shared/links.js'

interface NoModelNoticeProps {
  /** The `llm_provider` of the Agent. */
  readonly provider: string
  /** Whether the person can choose another. Default true. */
  readonly canChoose?: boolean
}

/** Shown wherever an Agent that follows the built-in rules is edited, tried or published. */
export const NoModelNotice = ({ provider, canChoose = true }: NoModelNoticeProps) =>
  provider === 'builtin' ? (
    <Alert color="yellow" icon={<TriangleAlert />} role="note">
      This Agent has no language model: it cannot use its prompt. The built-in rules that answer instead are a
      demonstration.{' '}
      {canChoose && (
        <>
          Choose a model in its section Model, or{' '}
          <PageAnchor to="/model-providers" inherit c="inherit" underline="always">
            add one
          </PageAnchor>
          .
        </>
      )}
    </Alert>
  ) : null
