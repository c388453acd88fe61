import { Stack } from '@mantine/core'
import { lazy, Suspense } from 'react'
import type { Problem } from '../../api/problem.js'
import { NoModelNotice } from '../../model-providers/no-model-notice.js'
import { Loading } from '../../shared/loading.js'
import { useAgentFormContext } from './agent-form.js'

/** Loaded when it is opened: what connects a conversation is large. */
const DraftTalkPanel = lazy(async () => {
  const { DraftTalkPanel: component } = await import('../../talk/draft-talk-panel.js')
  return { default: component }
})

const notSaved: Problem = {
  code: 'invalid_request',
  detail: 'The draft was not saved. Fix the marked fields, then start again.',
  retryable: false,
}

export interface DraftConversationProps {
  readonly agentId: string
  /** Saves what is not saved yet. Resolves to whether it is saved. */
  saveForm(): Promise<boolean>
}

/** A conversation with the draft that is being edited. It is with what is in the fields when it starts. */
export const DraftConversation = ({ agentId, saveForm }: DraftConversationProps) => {
  const { avatar_id: avatarId, llm_provider: provider } = useAgentFormContext().getValues()
  const save = async () => {
    if (!(await saveForm())) throw notSaved
  }
  return (
    <Suspense fallback={<Loading />}>
      <Stack>
        <DraftTalkPanel agentId={agentId} avatarId={avatarId || null} save={save} />
        <NoModelNotice provider={provider} />
      </Stack>
    </Suspense>
  )
}
