import {
  Accordion,
  Badge,
  Button,
  Code,
  Group,
  Input,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Globe, MonitorSmartphone, Server } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { fields } from '../fields.js'
import { newTool, type ToolDraft } from './agent-draft.js'
import { useAgentFormContext, useField } from './agent-form.js'
import { CalendarTrial } from './calendar-trial.js'
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
const ToolEditor = ({ index, tool, onRemove }: ToolEditorProps) => {
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

const webSearch = { type: 'web_search' } as const

const builtinTools = {
  end_call: { label: 'End the conversation', description: 'The Agent can end it with its last words.' },
  skip_turn: { label: 'Skip a turn', description: 'The Agent can say nothing, such as when it is asked to wait.' },
  transfer_to_agent: { label: 'Transfer', description: 'The Agent can hand over to another Agent of the workspace.' },
  transfer_call: { label: 'Transfer calls', description: 'The Agent can put a caller through to a telephone number.' },
}

/** The tools of the Agent. */
export const ToolFields = () => {
  const field = useField()
  const { values } = useAgentFormContext()
  return (
    <Stack>
      <FieldGrid>
        <Switch {...field.checkbox('web_search_enabled')} />
        <Switch {...field.checkbox('memory_enabled')} />
        <Switch {...field.checkbox('calendar_enabled')} />
      </FieldGrid>
      <BuiltinTools />
      {values.web_search_enabled && (
        <Trial label="Try the web search">
          <ToolTrial tool={webSearch} />
        </Trial>
      )}
      {values.calendar_enabled && (
        <Trial label="Try the calendar">
          <CalendarTrial />
        </Trial>
      )}
      <ToolList />
    </Stack>
  )
}

/** The tools that act on the conversation itself. Each is an entry of the list of tools, or is not in it. */
const BuiltinTools = () => {
  const { values, insertListItem, removeListItem } = useAgentFormContext()
  const indexOf = (name: string) => values.tools.findIndex((tool) => tool.type === 'builtin' && tool.name === name)
  const transfer = indexOf('transfer_to_agent')
  const calling = indexOf('transfer_call')
  return (
    <>
      <FieldGrid>
        {Object.entries(builtinTools).map(([name, labels]) => (
          <Switch
            key={name}
            {...labels}
            checked={indexOf(name) >= 0}
            onChange={({ currentTarget: { checked } }) =>
              checked ? insertListItem('tools', newTool('builtin', name)) : removeListItem('tools', indexOf(name))
            }
          />
        ))}
      </FieldGrid>
      {transfer >= 0 && <ListField path={`tools.${transfer}.agents`} />}
      {calling >= 0 && <ListField path={`tools.${calling}.numbers`} splitChars={[',']} />}
    </>
  )
}

/** A button that shows how a built-in tool is tried. */
const Trial = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => {
  const [isTrying, trial] = useDisclosure(false)
  return (
    <Stack gap="sm" align="stretch">
      <Group>
        <Button size="xs" variant="default" aria-expanded={isTrying} onClick={trial.toggle}>
          {label}
        </Button>
      </Group>
      {isTrying && children}
    </Stack>
  )
}

const ToolList = () => {
  const { values, errors, insertListItem, removeListItem, key } = useAgentFormContext()
  const { tools } = values
  const [opened, setOpened] = useState<string[]>([])
  const withErrors = tools
    .map((_, index) => String(index))
    .filter((index) => Object.keys(errors).some((path) => path.startsWith(`tools.${index}.`)))
  const add = (type: ToolDraft['type']) => {
    insertListItem('tools', newTool(type))
    setOpened([...opened, String(tools.length)])
  }
  const remove = (index: number) => {
    removeListItem('tools', index)
    setOpened([])
  }
  return (
    <Stack gap="xs" component="section" aria-labelledby="tools">
      <Group justify="space-between">
        <Title order={2} id="tools">
          {fields.tools.label}
        </Title>
        <Group gap="xs">
          <Button variant="default" leftSection={<MonitorSmartphone />} onClick={() => add('client')}>
            Add a client tool
          </Button>
          <Button variant="default" leftSection={<Globe />} onClick={() => add('webhook')}>
            Add a webhook
          </Button>
          <Button variant="default" leftSection={<Server />} onClick={() => add('mcp')}>
            Add an MCP server
          </Button>
        </Group>
      </Group>
      {errors.tools !== undefined && <Input.Error>{errors.tools}</Input.Error>}
      {tools.every(({ type }) => type === 'builtin') ? (
        <Text c="dimmed">
          The model decides when to call a tool. A client tool runs in the user’s page or app. A webhook is called by
          Parlance. An MCP server has tools of its own.
        </Text>
      ) : (
        <Accordion multiple variant="separated" value={[...new Set([...opened, ...withErrors])]} onChange={setOpened}>
          {tools.map(
            (tool, index) =>
              tool.type !== 'builtin' && (
                <ToolEditor
                  key={key(`tools.${index}`)}
                  index={index}
                  tool={{ ...tool, type: tool.type }}
                  onRemove={() => remove(index)}
                />
              ),
          )}
        </Accordion>
      )}
    </Stack>
  )
}
