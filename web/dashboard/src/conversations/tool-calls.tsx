import { Badge, Code, Stack, Text } from '@mantine/core'
import { Wrench } from 'lucide-react'
import { formatMs } from '../shared/quantities.js'
import type { ToolCall } from './conversation-queries.js'
import classes from './tool-calls.module.css'

const marks: Readonly<Record<ToolCall['outcome'], { readonly label: string; readonly color: string } | undefined>> = {
  succeeded: undefined,
  failed: { label: 'Failed', color: 'red' },
  interrupted: { label: 'Interrupted', color: 'orange' },
}

/** JSON with its lines indented, other text as it is. */
const readable = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

const argumentsOf = ({ arguments: args }: ToolCall): string =>
  typeof args === 'string' ? args : JSON.stringify(args, null, 2)

const Part = ({ label, text }: { readonly label: string; readonly text: string }) => (
  <div>
    <Text size="xs" c="dimmed">
      {label}
    </Text>
    {/* Long texts scroll, which the keyboard must reach. */}
    <Code block dir="auto" tabIndex={0} aria-label={label} role="region" className={classes.text}>
      {text}
    </Code>
  </div>
)

const Call = ({ call }: { readonly call: ToolCall }) => {
  const mark = marks[call.outcome]
  return (
    <details className={classes.call}>
      <summary className={classes.summary}>
        <Wrench size={14} className={classes.icon} />
        <Text span ff="monospace" className={classes.name}>
          {call.name}
        </Text>
        {mark !== undefined && (
          <Badge component="span" size="sm" color={mark.color} me={6}>
            {mark.label}
          </Badge>
        )}
        <Text span size="xs" c="dimmed">
          {formatMs(call.duration_ms)}
        </Text>
      </summary>
      <Stack gap={6} mt={6}>
        <Part label="Arguments" text={argumentsOf(call)} />
        <Part
          label={call.outcome === 'failed' ? 'Error' : 'Result'}
          text={call.result === null ? 'None: the call was interrupted.' : readable(call.result)}
        />
      </Stack>
    </details>
  )
}

/** Calls of tools, folded. */
export const ToolCalls = ({ calls }: { readonly calls: readonly ToolCall[] }) => (
  <Stack gap={4} role="group" aria-label="Tool calls">
    {calls.map((call) => (
      <Call key={call.id} call={call} />
    ))}
  </Stack>
)
