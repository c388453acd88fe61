import { Alert, Stack, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { Info } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { Loaded, Loading } from '../../shared/loaded.js'
import { useAgent } from '../agent-queries.js'
import { useAgentFormContext } from '../editor/agent-form.js'
import { type Criterion, type DataPoint, useEvaluation, usePutEvaluation } from './evaluation-queries.js'
import { ItemList } from './item-list.js'

const newCriterion: Criterion = { name: '', description: '' }
const newDataPoint: DataPoint = { name: '', type: 'string', description: '' }

const criterionWords = {
  title: 'Success criteria',
  hint: 'A criterion is what a conversation should achieve. Each is judged as success, failure or unknown, with a reason.',
  add: 'Add a criterion',
  edit: 'Edit the criterion',
  placeholders: { name: 'Booked', description: 'A table was booked, and the user agreed to the time.' },
}

const dataWords = {
  title: 'Data to extract',
  hint: 'What to extract from each conversation, such as an order number.',
  add: 'Add a value',
  edit: 'Edit the value',
  placeholders: { name: 'Order number', description: 'The number of the order that the user asks about.' },
}

/** Loaded apart, because the code for conversations is large. */
const ScenarioSection = lazy(async () => ({ default: (await import('./scenario-section.js')).ScenarioSection }))

/** Why nothing would be judged with the current draft. */
const Obstacle = () => {
  const { values } = useAgentFormContext()
  const reason =
    values.llm_provider === 'builtin'
      ? 'The built-in model cannot judge conversations. Choose another one in the section “Model”.'
      : !values.session_config.store_transcript &&
        'Transcripts of this Agent are not stored, so there is nothing to judge. The section “Sessions” changes that.'
  return reason ? (
    <Alert color="orange" icon={<Info />}>
      {reason}
    </Alert>
  ) : null
}

/** What the Agent's model judges when a conversation has ended, saved apart from the draft, and tests of the draft. */
export const EvaluationSection = () => {
  const { agentId } = useParams({ from: '/signed-in/agents/$agentId' })
  const query = useEvaluation(agentId)
  const put = usePutEvaluation(agentId)
  const params = { path: { agentId } }
  const { data: agent } = useAgent(agentId)
  return (
    <Stack>
      <Text>
        When a conversation ends, the Agent’s model judges its transcript by these criteria. Changes of them are saved
        at once and need not be published.
      </Text>
      <Obstacle />
      <Loaded query={query}>
        {(evaluation) => (
          <>
            <ItemList
              words={criterionWords}
              items={evaluation.criteria}
              newItem={newCriterion}
              maxItems={20}
              mutation={put}
              onSave={(criteria, onSuccess) => put.mutate({ params, body: { ...evaluation, criteria } }, { onSuccess })}
            />
            <ItemList
              words={dataWords}
              items={evaluation.data}
              newItem={newDataPoint}
              maxItems={40}
              mutation={put}
              onSave={(data, onSuccess) => put.mutate({ params, body: { ...evaluation, data } }, { onSuccess })}
            />
          </>
        )}
      </Loaded>
      {agent !== undefined && (
        <Suspense fallback={<Loading />}>
          <ScenarioSection agent={agent} />
        </Suspense>
      )}
    </Stack>
  )
}
