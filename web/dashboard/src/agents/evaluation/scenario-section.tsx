import {
  Alert,
  Anchor,
  Badge,
  Button,
  Code,
  FileButton,
  Group,
  NumberInput,
  Paper,
  Stack,
  Text,
  Textarea,
  Title,
} from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { hasPassed, judgmentText, type ScenarioRun } from '@parlance/agent-tests'
import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { Download, Info, Play, Square, Upload } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { PageAnchor } from '../../shared/links.js'
import { formatDuration, formatMs } from '../../shared/quantities.js'
import { saveFile } from '../../shared/save-file.js'
import type { Agent } from '../agent.js'
import { useAgentFormContext } from '../editor/agent-form.js'
import classes from './scenario-section.module.css'
import { isSpoken, passesOf, readScenarios, runTests, type ScenarioTest, type ScenarioTests } from './scenario-tests.js'

const maxRepeat = 20

const exampleOf = (slug: string): string => `agent: ${slug}
scenarios:
  - name: Says what it can do
    turns:
      - user: What can you do for me?
        expect:
          words: help
`

/** Tests that run, or ran last. They go on while another page of the dashboard is open. */
const useScenarioTests = (agentId: string) => {
  const client = useQueryClient()
  const queryKey = ['scenario-tests', agentId]
  const { data } = useQuery<ScenarioTests & { stop(): void }>({
    queryKey,
    queryFn: skipToken,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
  const run = (options: Pick<Parameters<typeof runTests>[0], 'agent' | 'scenarios' | 'repeat'>) => {
    const controller = new AbortController()
    const { signal } = controller
    const stop = () => controller.abort()
    void runTests({ ...options, signal, onChange: (tests) => client.setQueryData(queryKey, { ...tests, stop }) })
  }
  return { tests: data, run }
}

const Turns = ({ test: { scenario }, run }: { readonly test: ScenarioTest; readonly run: ScenarioRun }) => {
  const failuresOf = (turn: number | undefined) => run.failures.filter((failure) => failure.turn === turn)
  const reasons = (turn: number | undefined) =>
    failuresOf(turn).map(({ reason }) => (
      <Text key={reason} c="var(--mantine-color-error)" className={classes.text}>
        Failed: {reason}
      </Text>
    ))
  const met = run.judgments.filter(({ result }) => result === 'success')
  const shown = scenario.turns.slice(0, Math.max(run.turns.length, ...run.failures.map(({ turn = 0 }) => turn)))
  return (
    <Stack component="ol" gap="sm" className={classes.list} aria-label="Turns">
      {shown.map(({ user }, index) => {
        const turn = run.turns[index]
        return (
          <li key={index}>
            {typeof user === 'string' && (
              <Text className={classes.text} dir="auto">
                <b>User:</b> {user}
              </Text>
            )}
            {turn?.messages
              .filter(({ role }) => role === 'agent')
              .map(({ id, text }) => (
                <Text key={id} className={classes.text} dir="auto">
                  <b>Agent:</b> {text}
                </Text>
              ))}
            {turn !== undefined && (turn.tools.length > 0 || turn.delayMs !== undefined) && (
              <Text size="xs" c="dimmed">
                {[
                  ...(turn.delayMs === undefined ? [] : [`after ${formatMs(turn.delayMs)}`]),
                  ...turn.tools.map((name) => `tool ${name}`),
                ].join(' · ')}
              </Text>
            )}
            {reasons(index + 1)}
          </li>
        )
      })}
      {failuresOf(undefined).length + met.length > 0 && (
        <li>
          {met.map((judgment) => (
            <Text key={judgment.name} c="dimmed" className={classes.text}>
              Passed: {judgmentText(judgment)}
            </Text>
          ))}
          {reasons(undefined)}
        </li>
      )}
    </Stack>
  )
}

interface RunProps {
  readonly test: ScenarioTest
  readonly run: ScenarioRun
  /** Undefined for the only one. */
  readonly title: string | undefined
}

const Run = ({ test, run, title }: RunProps) => (
  <Stack gap="xs">
    {title !== undefined && (
      <Text fw={600}>
        {title}: {hasPassed(run) ? 'passed' : 'failed'}
      </Text>
    )}
    <Turns test={test} run={run} />
    <Text size="xs" c="dimmed">
      {formatDuration(run.durationMs / 1000)}
      {run.sessionId !== undefined && (
        <>
          {' · '}
          <PageAnchor to="/conversations/$sessionId" params={{ sessionId: run.sessionId }} inherit underline="always">
            Record of the conversation
          </PageAnchor>
        </>
      )}
    </Text>
  </Stack>
)

const badgeOf = (test: ScenarioTest, repeat: number, isRunning: boolean) => {
  if (isSpoken(test.scenario)) return { color: 'gray', label: 'Not run' }
  if (isRunning) return { color: 'indigo', label: 'Running' }
  if (test.runs.length === 0) return { color: 'gray', label: 'Waiting' }
  const passes = passesOf(test)
  const label = passes === test.runs.length ? 'Passed' : 'Failed'
  const rate = `${passes} of ${test.runs.length} runs (${Math.round((100 * passes) / test.runs.length)} %)`
  return { color: label === 'Passed' ? 'teal' : 'red', label: repeat === 1 ? label : `${label}: ${rate}` }
}

const Result = ({ test, tests, index }: { test: ScenarioTest; tests: ScenarioTests; index: number }) => {
  const { color, label } = badgeOf(test, tests.repeat, tests.current?.test === index)
  const title = (
    <Group component="span" gap="xs" display="inline-flex">
      <Badge component="span" color={color}>
        {label}
      </Badge>
      <Text span fw={600} className={classes.text}>
        {test.scenario.name}
      </Text>
    </Group>
  )
  if (test.runs.length === 0) {
    return (
      <Paper withBorder component="li" px={12} py={10}>
        {title}
        {isSpoken(test.scenario) && (
          <Text c="dimmed" mt={4}>
            Its user speaks (<Code>say</Code>), so it runs with <Code>npx parlance test</Code> only.
          </Text>
        )}
      </Paper>
    )
  }
  return (
    <Paper withBorder component="li">
      <details open={!test.runs.every(hasPassed)}>
        <summary className={classes.summary}>{title}</summary>
        <Stack className={classes.runs}>
          {test.runs.map((run, at) => (
            <Run key={at} test={test} run={run} title={tests.repeat === 1 ? undefined : `Run ${at + 1}`} />
          ))}
        </Stack>
      </details>
    </Paper>
  )
}

const progressOf = ({ tests, current, repeat, isStopped }: ScenarioTests): string => {
  if (current !== undefined) {
    const { scenario } = tests[current.test]!
    const run = repeat === 1 ? '' : `run ${current.run + 1} of ${repeat}, `
    return `Running “${scenario.name}”: ${run}turn ${current.turn + 1} of ${scenario.turns.length}.`
  }
  const ran = tests.filter(({ runs }) => runs.length > 0)
  const passed = ran.filter((test) => passesOf(test) === test.runs.length)
  return `${isStopped ? 'Stopped. ' : ''}${passed.length} of ${ran.length} scenarios passed.`
}

/** Scenarios in YAML, met in this browser, and what came of their last run. */
export const ScenarioSection = ({ agent }: { readonly agent: Agent }) => {
  const [text, setText] = useLocalStorage({ key: `parlance.scenarios.${agent.id}`, defaultValue: '' })
  const [problems, setProblems] = useState<readonly string[]>([])
  const [repeat, setRepeat] = useState<number | string>(1)
  const { tests, run } = useScenarioTests(agent.id)
  const isDirty = useAgentFormContext().isDirty()
  const field = useRef<HTMLTextAreaElement>(null)
  const titleId = useId()
  const isRunning = tests?.current !== undefined
  const write = (written: string) => {
    setText(written)
    setProblems([])
  }
  const start = async () => {
    const read = await readScenarios(text, agent).catch(({ message }: Error) => ({ problems: [message] }))
    setProblems('problems' in read ? read.problems : [])
    if ('problems' in read) field.current?.focus()
    else run({ agent, scenarios: read.file.scenarios, repeat: Number(repeat) || 1 })
  }
  return (
    <Stack gap="xs" component="section" aria-labelledby={titleId}>
      <Title order={2} id={titleId}>
        Scenarios
      </Title>
      <Text>
        A scenario is a conversation with the draft, and{' '}
        <Anchor href="/docs/agent-tests.html" target="_blank" inherit underline="always">
          what is expected of it
        </Anchor>
        . Here the user types and nothing is heard; users who speak are for <Code>npx parlance test</Code>, which reads
        the same files. Each run is a conversation that costs credit.
      </Text>
      <Textarea
        ref={field}
        label="Scenarios, in YAML"
        description="Kept in this browser only: save the file to keep it with your code."
        placeholder={exampleOf(agent.slug)}
        value={text}
        onChange={(event) => write(event.currentTarget.value)}
        error={problems.length > 0 && problems.join('\n')}
        errorProps={{ className: classes.text }}
        classNames={{ input: classes.yaml }}
        wrap="off"
        minRows={8}
        maxRows={24}
        spellCheck={false}
        autoComplete="off"
      />
      {isDirty && (
        <Alert color="orange" icon={<Info />}>
          The draft has unsaved changes. Scenarios talk with the draft as it was saved last.
        </Alert>
      )}
      <Group align="flex-end">
        <Button
          leftSection={isRunning ? <Square /> : <Play />}
          {...(isRunning && { color: 'red' })}
          disabled={text.trim() === ''}
          onClick={isRunning ? tests.stop : () => void start()}
        >
          {isRunning ? 'Stop' : 'Run'}
        </Button>
        <NumberInput
          label="Runs of each"
          value={repeat}
          onChange={setRepeat}
          min={1}
          max={maxRepeat}
          clampBehavior="strict"
          w={110}
        />
        {text === '' && (
          <Button variant="default" onClick={() => write(exampleOf(agent.slug))}>
            Begin with an example
          </Button>
        )}
        <FileButton accept=".yaml,.yml" onChange={(file) => void file?.text().then(write)}>
          {(props) => (
            <Button {...props} variant="default" leftSection={<Upload />}>
              Open a file
            </Button>
          )}
        </FileButton>
        <Button
          variant="default"
          leftSection={<Download />}
          disabled={text.trim() === ''}
          onClick={() => saveFile(new Blob([text], { type: 'application/yaml' }), `${agent.slug}.yaml`)}
        >
          Save as a file
        </Button>
      </Group>
      <Text role="status">{tests !== undefined && progressOf(tests)}</Text>
      {tests !== undefined && (
        <Stack component="ol" gap="xs" className={classes.list} aria-label="Results">
          {tests.tests.map((test, index) => (
            <Result key={test.scenario.name} test={test} tests={tests} index={index} />
          ))}
        </Stack>
      )}
    </Stack>
  )
}
