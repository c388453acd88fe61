import { Alert } from '@mantine/core'
import { TriangleAlert } from 'lucide-react'
import { PageAnchor } from '../shared/links.js'

/** Shown wherever an Agent that follows the built-in rules is edited, tried or published; `provider` is its `llm_provider`. */
export const NoModelNotice = ({ provider }: { readonly provider: string }) =>
  provider === 'builtin' ? (
    <Alert color="yellow" icon={<TriangleAlert />} role="note">
      This Agent has no language model: it cannot use its prompt. The built-in rules that answer instead are a
      demonstration. Choose a model in its section Model, or{' '}
      <PageAnchor to="/model-providers" inherit c="inherit" underline="always">
        add one
      </PageAnchor>
      .
    </Alert>
  ) : null
