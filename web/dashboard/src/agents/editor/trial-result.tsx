import { Alert, Code, Text } from '@mantine/core'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { ProblemAlert } from '../../shared/problem-alert.js'
import { formatMs } from '../../shared/quantities.js'
import type { ToolResult } from './use-try-tool.js'

export interface TrialResultProps {
  readonly trial: { readonly data: ToolResult | undefined; readonly error: unknown; readonly isPending: boolean }
}

/** What a tool that was tried returned, after how long, or why it could not be called. */
export const TrialResult = ({ trial: { data, error, isPending } }: TrialResultProps) => (
  <>
    <ProblemAlert error={error} />
    {data !== undefined && !isPending && (
      <Alert
        role="status"
        color={data.outcome === 'succeeded' ? 'teal' : 'red'}
        title={`${data.outcome === 'succeeded' ? 'Succeeded' : 'Failed'} after ${formatMs(data.duration_ms)}`}
        icon={data.outcome === 'succeeded' ? <CircleCheck aria-hidden /> : <CircleAlert aria-hidden />}
      >
        <Text size="xs" c="dimmed">
          What the model receives
        </Text>
        <Code
          block
          dir="auto"
          tabIndex={0}
          role="region"
          aria-label="Result"
          mah={240}
          style={{ whiteSpace: 'pre-wrap' }}
        >
          {data.result}
        </Code>
      </Alert>
    )}
  </>
)
