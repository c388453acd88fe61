import { Alert, Badge, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { CircleAlert } from 'lucide-react'
import type { Analysis } from './conversation-queries.js'
import classes from './transcript.module.css'

type Judged = Analysis['criteria'][number]
type Value = Analysis['data'][number]['value']

const results: Readonly<Record<Judged['result'], { readonly label: string; readonly color: string }>> = {
  success: { label: 'Success', color: 'teal' },
  failure: { label: 'Failure', color: 'red' },
  unknown: { label: 'Unknown', color: 'gray' },
}

const wordsOf = (value: Value): string => {
  if (value === null) return 'Not found'
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return String(value)
}

const Criterion = ({ criterion }: { readonly criterion: Judged }) => {
  const { label, color } = results[criterion.result]
  return (
    <li>
      <Group gap="xs">
        <Badge tt="none" variant="light" color={color}>
          {label}
        </Badge>
        <Text size="sm" fw={600} className={classes.text}>
          {criterion.name}
        </Text>
      </Group>
      <Text size="sm" dir="auto" ta="left" className={classes.text}>
        {criterion.reason}
      </Text>
    </li>
  )
}

const Outcome = ({ analysis }: { readonly analysis: Analysis }) => {
  const { status, criteria, data, error } = analysis
  if (status === 'pending') {
    return (
      <Text size="sm" c="dimmed" role="status">
        The Agent’s model is judging the conversation. This takes a few seconds.
      </Text>
    )
  }
  if (status === 'failed') {
    return (
      <Alert variant="light" color="red" title="It could not be judged" icon={<CircleAlert aria-hidden />}>
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
        {data.length > 0 && (
          <SimpleGrid component="dl" cols={{ base: 1, xs: 2, md: 3 }} spacing="md" verticalSpacing="sm" m={0}>
            {data.map(({ name, value }) => (
              <div key={name}>
                <Text component="dt" size="xs" c="dimmed" className={classes.text}>
                  {name}
                </Text>
                <Text
                  component="dd"
                  size="sm"
                  m={0}
                  dir="auto"
                  ta="left"
                  className={classes.text}
                  {...(value === null && { c: 'dimmed' })}
                >
                  {wordsOf(value)}
                </Text>
              </div>
            ))}
          </SimpleGrid>
        )}
      </Stack>
    </Paper>
  )
}

/** The analysis of the conversation by the Agent's model. */
export const AnalysisSection = ({ analysis }: { readonly analysis: Analysis }) => (
  <section aria-labelledby="evaluation">
    <Title order={2} size="h4" id="evaluation" mb="xs">
      Evaluation
    </Title>
    <Outcome analysis={analysis} />
  </section>
)
