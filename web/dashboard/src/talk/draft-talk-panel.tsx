import { Fieldset, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { api, fetchApi } from '../api/api.js'
import { mintDraftSessionToken, readEndedSession } from './talk-agents.js'
import { TalkPanel } from './talk-panel.js'

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

export interface DraftTalkPanelProps {
  readonly agentId: string
  readonly avatarId: string | null
  /** The prompt and the first message: each variable in them gets a field. */
  readonly texts: string
  /** Called when a conversation starts: saves unsaved changes. Its error is shown. */
  readonly save?: () => Promise<unknown>
}

/** A conversation with the draft of an Agent, for the page on which it is edited. */
export const DraftTalkPanel = ({ agentId, avatarId, texts, save }: DraftTalkPanelProps) => {
  const agent = api.useQuery('get', '/dashboard/api/v1/agents/{agentId}', { params: { path: { agentId } } })
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const names = variablesIn(texts)
  return (
    <Stack gap="sm">
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
        avatarId={avatarId}
        linksToRecord
        language={agent.data?.stt_config?.language}
        sessionToken={async () => {
          await save?.()
          return mintDraftSessionToken(agentId, Object.fromEntries(names.map((name) => [name, values[name] ?? ''])))
        }}
        readSession={(sessionId) => readEndedSession(fetchApi, sessionId)}
      />
    </Stack>
  )
}
