import { Fieldset, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { fetchApi } from '../../api/api.js'
import type { Problem } from '../../api/problem.js'
import { NoModelNotice } from '../../model-providers/no-model-notice.js'
import { mintDraftSessionToken, readEndedSession } from '../../talk/talk-agents.js'
import { TalkPanel } from '../../talk/talk-panel.js'
import { useAgentFormContext } from './agent-form.js'

const notSaved: Problem = {
  code: 'invalid_request',
  detail: 'The draft was not saved. Fix the marked fields, then start again.',
  retryable: false,
}

/** The service has a value for each of these in every conversation. */
const alwaysSet: readonly string[] = ['date', 'time', 'time_zone', 'end_user_id']

/**
 * The names of the variables in a text, such as `subject` of "Teach {{subject}}.", each once, without those that are always
 * set.
 */
const variablesIn = (text: string): readonly string[] => {
  const found = [...text.matchAll(/\{\{\s*([A-Za-z_][A-Za-z0-9_]{0,63})\s*\}\}/g)].map(([, name]) => name!)
  return [...new Set(found)].filter((name) => !alwaysSet.includes(name))
}

interface DraftConversationProps {
  readonly agentId: string
  /** Saves unsaved changes. Resolves with whether they are saved. */
  saveForm(): Promise<boolean>
}

/** A conversation with the draft that is being edited, with the values of the fields when it starts. */
export const DraftConversation = ({ agentId, saveForm }: DraftConversationProps) => {
  const draft = useAgentFormContext().getValues()
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const names = variablesIn(`${draft.system_prompt} ${draft.first_message}`)
  return (
    <Stack>
      {names.length > 0 && (
        <Fieldset legend="Variables for the next conversation" p="sm">
          <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
            {names.map((name) => (
              <TextInput
                key={name}
                label={name}
                maxLength={2_000}
                value={values[name] ?? ''}
                onChange={({ currentTarget: { value } }) => setValues((before) => ({ ...before, [name]: value }))}
              />
            ))}
          </SimpleGrid>
        </Fieldset>
      )}
      <TalkPanel
        agentId={agentId}
        api={fetchApi}
        avatarId={draft.avatar_id || null}
        isMember
        language={draft.stt_config.language}
        sessionToken={async (consents) => {
          if (!(await saveForm())) throw notSaved
          const variables = Object.fromEntries(names.map((name) => [name, values[name] ?? '']))
          return mintDraftSessionToken(agentId, { variables, consents })
        }}
        readSession={(sessionId) => readEndedSession(fetchApi, sessionId)}
      />
      <NoModelNotice provider={draft.llm_provider} />
    </Stack>
  )
}
