import { Accordion, Badge, Button, Code, Group, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ToolDraft } from './agent-draft.js'
import { useField } from './agent-form.js'
import { FieldGrid, JsonField, NumberField } from './field-grid.js'
import { ListField } from './list-field.js'
import { McpTrial, ToolTrial } from './tool-trial.js'

const typeNames = { client: 'Client', webhook: 'Webhook', mcp: 'MCP server' } as const

interface ToolEditorProps {
  readonly index: number
  readonly tool: ToolDraft & { readonly type: keyof typeof typeNames }
  onRemove(): void
}

const PageToolHint = () => (
  <Text role="status">
    This tool runs in the page of the user, so the server cannot call it. “Talk with the draft” shows when the model
    calls it.
  </Text>
)

/** One tool of the Agent, which opens and closes. */
export const ToolEditor = ({ index, tool, onRemove }: ToolEditorProps) => {
  const field = useField()
  const [isTrying, trial] = useDisclosure(false)
  const path = (name: keyof ToolDraft) => `tools.${index}.${name}`
  return (
    <Accordion.Item value={String(index)}>
      <Accordion.Control>
        <Group gap="xs">
          <Badge variant="default">{typeNames[tool.type]}</Badge>
          <Code>{tool.name === '' ? 'unnamed' : tool.name}</Code>
        </Group>
      </Accordion.Control>
      <Accordion.Panel>
        <Stack gap="sm">
          <FieldGrid>
            <TextInput {...field.input(path('name'))} spellCheck={false} />
            {tool.type !== 'client' && (
              <TextInput
                {...field.input(path('url'))}
                description={
                  tool.type === 'mcp' ? 'Speaks Streamable HTTP.' : 'Receives a POST request with the arguments.'
                }
                type="url"
                placeholder="https://"
              />
            )}
            {tool.type !== 'mcp' && <NumberField path={path('timeout_ms')} step={1_000} />}
          </FieldGrid>
          {tool.type === 'mcp' ? (
            <>
              <ListField path={path('allowed_tools')} />
              <JsonField {...field.choice(path('headers'))} minRows={3} maxRows={12} />
              <McpTrial tool={tool} />
            </>
          ) : (
            <>
              <Textarea {...field.input(path('description'))} minRows={2} maxRows={6} dir="auto" />
              <JsonField {...field.choice(path('parameters'))} minRows={4} maxRows={16} />
            </>
          )}
          {isTrying && (tool.type === 'webhook' ? <ToolTrial tool={tool} /> : <PageToolHint />)}
          <Group justify="flex-end">
            {tool.type !== 'mcp' && (
              <Button variant="default" aria-expanded={isTrying} onClick={trial.toggle}>
                Try it
              </Button>
            )}
            <Button variant="subtle" color="red" onClick={onRemove}>
              Remove the tool
            </Button>
          </Group>
        </Stack>
      </Accordion.Panel>
    </Accordion.Item>
  )
}
