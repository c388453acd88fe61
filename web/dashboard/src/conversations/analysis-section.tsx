import { Alert, Badge, Group, Paper, Stack, Text } from '@mantine/core'
import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { FactList } from '../shared/fact-list.js'
import { Section } from '../shared/section.js'
import type { Analysis } from './conversation-queries.js'
import classes from './transcript.module.css'

type Judged = Analysis['criteria'][number]
type Value = Analysis['data'][number]['value']

const results: Readonly<Record<Judged['result'], { readonly label: string; readonly color: string }>> = {
  success: { label: 'Success', color: 'teal' },
  failure: { label: 'Failure', color: 'red' },
  unknown: { label: 'Unknown', color: 'gray' },
}

const wordsOf = (value: Value): ReactNode => {
  if (value === null)
    return (
      <Text span inherit c="dimmed">
        Not found
      </Text>
    )
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return String(value)
}

const Criterion = ({ criterion }: { readonly criterion: Judged }) => {
  const { label, color } = results[criterion.result]
  return (
    <li>
      <Group gap="xs">
        <Badge color={color}>{label}</Badge>
        <Text fw={600} className={classes.text}>
          {criterion.name}
        </Text>
      </Group>
      <Text dir="auto" ta="left" className={classes.text}>
        {criterion.reason}
      </Text>
    </li>
  )
}

const Outcome = ({ analysis }: { readonly analysis: Analysis }) => {
  const { status, criteria, data, error } = analysis
  if (status === 'pending') {
    return (
      <Text c="dimmed" role="status">
        The Agent’s model is judging the conversation. This takes a few seconds.
      </Text>
    )
  }
  if (status === 'failed') {
    return (
      <Alert color="red" title="It could not be judged" icon={<CircleAlert />}>
        {error}
      </Alert>
    )
  }
  return (
    <Paper withBorder p="md">
      <Stack>
        {criteria.length > 0 && (
          <Stack component="ul" gap="sm" className={classes.messages} aria-label="Success criteria">
            {criteria.map((criterion) => (
              <Criterion key={criterion.name} criterion={criterion} />
            ))}
          </Stack>
        )}
        {data.length > 0 && <FactList facts={data.map(({ name, value }) => [name, wordsOf(value)])} />}
      </Stack>
    </Paper>
  )
}

/** The analysis of the conversation by the Agent's model. */
export const AnalysisSection = ({ analysis }: { readonly analysis: Analysis }) => (
  <Section title="Evaluation">
    <Outcome analysis={analysis} />
  </Section>
)
