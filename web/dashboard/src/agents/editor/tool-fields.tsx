import { Accordion, Button, Group, Input, Stack, Switch, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Globe, MonitorSmartphone } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { fields } from '../fields.js'
import type { ToolDraft } from './agent-draft.js'
import { useAgentFormContext, useField } from './agent-form.js'
import { CalendarTrial } from './calendar-trial.js'
import { FieldGrid } from './field-grid.js'
import { ToolEditor } from './tool-editor.js'
import { ToolTrial } from './tool-trial.js'

const webSearch = { type: 'web_search' } as const
const defaultTimeoutMs = 10_000
const emptyParameters = JSON.stringify({ type: 'object', properties: {} }, null, 2)

const newTool = (type: ToolDraft['type']): ToolDraft => ({
  type,
  name: '',
  description: '',
  url: '',
  timeout_ms: defaultTimeoutMs,
  parameters: emptyParameters,
})

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
        </Group>
      </Group>
      {errors.tools !== undefined && <Input.Error>{errors.tools}</Input.Error>}
      {tools.length === 0 ? (
        <Text size="sm" c="dimmed">
          The model decides when to call a tool. A client tool runs in the user’s page or app. A webhook is called by
          Parlance.
        </Text>
      ) : (
        <Accordion multiple variant="separated" value={[...new Set([...opened, ...withErrors])]} onChange={setOpened}>
          {tools.map((tool, index) => (
            <ToolEditor key={key(`tools.${index}`)} index={index} tool={tool} onRemove={() => remove(index)} />
          ))}
        </Accordion>
      )}
    </Stack>
  )
}
