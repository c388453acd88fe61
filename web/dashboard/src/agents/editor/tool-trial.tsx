import { Button, Group, Stack } from '@mantine/core'
import { Play, PlugZap } from 'lucide-react'
import { useState } from 'react'
import { calledTool, jsonObjectProblem, type ToolDraft, toTool } from './agent-draft.js'
import { exampleArguments } from './example-arguments.js'
import { JsonField } from './field-grid.js'
import { TrialResult, type TriedCall, useTryTool } from './try-tool.js'

/** A tool that the server calls: a webhook as the form has it, or the search of the web. */
type TriedTool = ToolDraft | { readonly type: 'web_search' }

const webSearchExample = { query: 'weather in Lisbon' }

const exampleOf = (tool: TriedTool): string => {
  const parameters = 'parameters' in tool ? tool.parameters : ''
  const example =
    tool.type === 'web_search' || jsonObjectProblem(parameters) ? {} : exampleArguments(JSON.parse(parameters))
  return JSON.stringify(tool.type === 'web_search' ? webSearchExample : example, null, 2)
}

const callOf = (tool: TriedTool, text: string): TriedCall => ({
  tool: tool.type === 'web_search' ? { type: tool.type } : { ...calledTool(tool), type: 'webhook', url: tool.url },
  arguments: JSON.parse(text) as Record<string, unknown>,
})

/** Calls a tool with arguments that a person gives, as a conversation would. */
export const ToolTrial = ({ tool }: { readonly tool: TriedTool }) => {
  const [text, setText] = useState(() => exampleOf(tool))
  const trial = useTryTool()
  const problem = jsonObjectProblem(text)
  const schemaProblem = 'parameters' in tool ? jsonObjectProblem(tool.parameters) : null
  return (
    <Stack gap="sm" component="section" aria-label="Try the tool">
      <JsonField
        label="Arguments to try"
        description="They are checked against the schema. The call is real: the tool acts as in a conversation."
        value={text}
        onChange={setText}
        error={problem}
        minRows={3}
        maxRows={12}
      />
      <Group>
        <Button
          variant="default"
          leftSection={<Play />}
          disabled={problem !== null || schemaProblem !== null}
          loading={trial.isPending}
          onClick={() => trial.mutate(callOf(tool, text))}
        >
          Call the tool
        </Button>
      </Group>
      <TrialResult trial={trial} />
    </Stack>
  )
}

/** Connects to an MCP server as a conversation would, and shows its tools. */
export const McpTrial = ({ tool }: { readonly tool: ToolDraft }) => {
  const trial = useTryTool()
  return (
    <>
      <TrialResult trial={trial} label={trial.data?.outcome === 'failed' ? 'The connection' : 'Tools of the server'} />
      <Group>
        <Button
          variant="default"
          leftSection={<PlugZap />}
          disabled={tool.url === '' || jsonObjectProblem(tool.headers) !== null}
          loading={trial.isPending}
          onClick={() => trial.mutate({ tool: toTool(tool) as TriedCall['tool'], arguments: {} })}
        >
          Test the connection
        </Button>
      </Group>
    </>
  )
}
