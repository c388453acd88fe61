import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { CircleAlert, CircleCheck, Play } from 'lucide-react'
import { useState } from 'react'
import { fetchApi } from '../../api/api.js'
import { ProblemAlert } from '../../shared/problem-alert.js'
import { formatMs } from '../../shared/quantities.js'
import { jsonObjectProblem, type ToolDraft, toTool } from './agent-draft.js'
import { exampleArguments } from './example-arguments.js'
import { JsonField } from './json-field.js'

/** A tool that the server calls: a webhook as the form has it, or the search of the web. */
export type TriedTool = ToolDraft | { readonly type: 'web_search' }

const webSearchExample = { query: 'weather in Lisbon' }

const exampleOf = (tool: TriedTool): string => {
  const parameters = 'parameters' in tool ? tool.parameters : ''
  const example =
    tool.type === 'web_search' || jsonObjectProblem(parameters) ? {} : exampleArguments(JSON.parse(parameters))
  return JSON.stringify(tool.type === 'web_search' ? webSearchExample : example, null, 2)
}

const useTryTool = () => {
  const { agentId } = useParams({ from: '/signed-in/agents/$agentId' })
  return useMutation({
    mutationFn: async ({ tool, text }: { readonly tool: TriedTool; readonly text: string }) => {
      const { data } = await fetchApi.POST('/dashboard/api/agents/{agentId}/tool-tests', {
        params: { path: { agentId } },
        body: {
          tool: tool.type === 'web_search' ? { type: tool.type } : { ...toTool(tool), type: 'webhook', url: tool.url },
          arguments: JSON.parse(text) as Record<string, unknown>,
        },
      })
      return data!
    },
  })
}

/** Calls a tool with arguments that a person gives, as a conversation would. */
export const ToolTrial = ({ tool }: { readonly tool: TriedTool }) => {
  const [text, setText] = useState(() => exampleOf(tool))
  const trial = useTryTool()
  const problem = jsonObjectProblem(text)
  const schemaProblem = 'parameters' in tool ? jsonObjectProblem(tool.parameters) : null
  const { data } = trial
  return (
    <Stack gap="sm" component="section" aria-label="Try the tool">
      <JsonField
        label="Arguments to try"
        description="They are checked by the schema. The call is real: what the tool does is done."
        value={text}
        onChange={setText}
        error={problem}
        minRows={3}
        maxRows={12}
      />
      <Group>
        <Button
          variant="default"
          leftSection={<Play aria-hidden size={16} />}
          disabled={problem !== null || schemaProblem !== null}
          loading={trial.isPending}
          onClick={() => trial.mutate({ tool, text })}
        >
          Call the tool
        </Button>
      </Group>
      <ProblemAlert error={trial.error} />
      {data !== undefined && !trial.isPending && (
        <Alert
          role="status"
          variant="light"
          color={data.outcome === 'succeeded' ? 'teal' : 'red'}
          title={`${data.outcome === 'succeeded' ? 'Succeeded' : 'Failed'} after ${formatMs(data.duration_ms)}`}
          icon={data.outcome === 'succeeded' ? <CircleCheck aria-hidden /> : <CircleAlert aria-hidden />}
        >
          <Text size="xs" c="dimmed">
            What the model is given
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
    </Stack>
  )
}
