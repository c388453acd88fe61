import { Stack } from '@mantine/core'
import type { Problem } from '../../api/problem.js'
import { NoModelNotice } from '../../model-providers/no-model-notice.js'
import { DraftTalkPanel } from '../../talk/draft-talk-panel.js'
import { useAgentFormContext } from './agent-form.js'

const notSaved: Problem = {
  code: 'invalid_request',
  detail: 'The draft was not saved. Fix the marked fields, then start again.',
  retryable: false,
}

export interface DraftConversationProps {
  readonly agentId: string
  /** Saves unsaved changes. Resolves with whether they are saved. */
  saveForm(): Promise<boolean>
}

/** A conversation with the draft that is being edited, with the values of the fields when it starts. */
export const DraftConversation = ({ agentId, saveForm }: DraftConversationProps) => {
  const {
    avatar_id: avatarId,
    llm_provider: provider,
    system_prompt,
    first_message,
  } = useAgentFormContext().getValues()
  const save = async () => {
    if (!(await saveForm())) throw notSaved
  }
  return (
    <Stack>
      <DraftTalkPanel
        agentId={agentId}
        avatarId={avatarId || null}
        texts={`${system_prompt} ${first_message}`}
        save={save}
      />
      <NoModelNotice provider={provider} />
    </Stack>
  )
}
