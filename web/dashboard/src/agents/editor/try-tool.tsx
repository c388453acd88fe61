import { Alert, Code, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { fetchApi } from '../../api/api.js'
import type { paths } from '../../api/schema.js'
import { ProblemAlert } from '../../shared/problem-alert.js'
import { formatMs } from '../../shared/quantities.js'

type TestTool = paths['/dashboard/api/agents/{agentId}/tool-tests']['post']
export type TriedCall = TestTool['requestBody']['content']['application/json']
type ToolResult = TestTool['responses'][200]['content']['application/json']

/** Calls a tool of the Agent whose editor is open, as a conversation would. */
export const useTryTool = () => {
  const { agentId } = useParams({ from: '/signed-in/agents/$agentId' })
  return useMutation({
    mutationFn: async (body: TriedCall): Promise<ToolResult> => {
      const { data } = await fetchApi.POST('/dashboard/api/agents/{agentId}/tool-tests', {
        params: { path: { agentId } },
        body,
      })
      return data!
    },
  })
}

interface TrialResultProps {
  /** What the result is. */
  readonly label?: string
  readonly trial: { readonly data: ToolResult | undefined; readonly error: unknown; readonly isPending: boolean }
}

/** What a tool that was tried returned, after how long, or why it could not be called. */
export const TrialResult = ({
  label = 'What the model receives',
  trial: { data, error, isPending },
}: TrialResultProps) => (
  <>
    <ProblemAlert error={error} />
    {data !== undefined && !isPending && (
      <Alert
        role="status"
        color={data.outcome === 'succeeded' ? 'teal' : 'red'}
        title={`${data.outcome === 'succeeded' ? 'Succeeded' : 'Failed'} after ${formatMs(data.duration_ms)}`}
        icon={data.outcome === 'succeeded' ? <CircleCheck /> : <CircleAlert />}
      >
        <Text size="xs" c="dimmed">
          {label}
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
