import { Alert, Code, Stack, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { Info } from 'lucide-react'
import { Loaded } from '../../shared/loaded.js'
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

/** What the Agent's model judges when a conversation has ended. It is saved apart from the draft. */
export const EvaluationSection = () => {
  const { agentId } = useParams({ from: '/signed-in/agents/$agentId' })
  const query = useEvaluation(agentId)
  const put = usePutEvaluation(agentId)
  return (
    <Stack>
      <Text size="sm">
        When a conversation ends, the Agent’s model judges its transcript. Changes here are saved at once and need not
        be published. Before you publish, <Code>npx parlance test</Code> runs whole conversations with the draft: the
        page of a conversation exports one as a test.
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
              onSave={(criteria, onSuccess) => put.mutate({ ...evaluation, criteria }, { onSuccess })}
            />
            <ItemList
              words={dataWords}
              items={evaluation.data}
              newItem={newDataPoint}
              maxItems={40}
              mutation={put}
              onSave={(data, onSuccess) => put.mutate({ ...evaluation, data }, { onSuccess })}
            />
          </>
        )}
      </Loaded>
    </Stack>
  )
}
