import { type UseMutationResult, useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { fetchApi } from '../../api/api.js'
import type { Agent, Publication } from '../agent.js'
import { etagOf, useKeepAgent, usePublishCheck } from '../agent-queries.js'
import { type AgentDraft, changesBetween, toDraft } from './agent-draft.js'
import { type AgentForm, useAgentForm } from './agent-form.js'
import { fieldErrorOf, fieldErrorsOf, isRevisionConflict } from './field-errors.js'

interface SaveOrder {
  readonly draft: AgentDraft
  /** Saves even if the draft has a newer version. Changes of others in other fields are kept. */
  readonly overChanges?: boolean
}

/** Sends the changes of a draft. Rejects with the body of the error. */
const sendChanges = async (agent: Agent, { draft, overChanges = false }: SaveOrder): Promise<Agent> => {
  const { data } = await fetchApi.PATCH('/dashboard/api/v1/agents/{agentId}', {
    params: { path: { agentId: agent.id }, ...(!overChanges && { header: { 'if-match': etagOf(agent) } }) },
    body: changesBetween(toDraft(agent), draft),
  })
  return data as Agent
}

export interface AgentEditorState {
  /** The saved Agent. */
  readonly agent: Agent
  /** The unsaved changes. */
  readonly form: AgentForm
  /** Whether the saved draft could be published. */
  readonly check: ReturnType<typeof usePublishCheck>
  readonly save: UseMutationResult<Agent, Error, SaveOrder>
  /** Whether another person saved the Agent since it was loaded. */
  readonly isOutdated: boolean
  /** Restores the saved values. */
  discard(): void
  /** Takes over the draft after a file was added or deleted. Changes of other people are noticed by the next check. */
  filesChanged(): Promise<void>
  /** Records that the draft was published. */
  markPublished(publication: Publication): void
}

/** The state of the editor of an Agent, which begins with the Agent as it was loaded. */
export const useAgentEditor = (loaded: Agent): AgentEditorState => {
  const [agent, setAgent] = useState(loaded)
  const keepForOtherPages = useKeepAgent()
  /** The newest value, ahead of the state, for a save that begins before the next render. */
  const latest = useRef(loaded)
  const takeOver = (saved: Agent) => {
    latest.current = saved
    setAgent(saved)
    keepForOtherPages(saved)
  }
  const form = useAgentForm(toDraft(loaded))
  const { setErrors } = form
  const check = usePublishCheck(agent)

  const save = useMutation({
    mutationFn: (order: SaveOrder) => sendChanges(latest.current, order),
    onSuccess(saved, { draft }) {
      takeOver(saved)
      const savedDraft = toDraft(saved)
      form.setInitialValues(savedDraft)
      // Changes that were typed during the save are kept as unsaved.
      if (form.getValues() === draft) form.setValues(savedDraft)
    },
    onError: (error) => setErrors(fieldErrorOf(error)),
  })

  const problems = check.data?.problems
  useEffect(() => {
    if (problems !== undefined) setErrors(fieldErrorsOf(problems))
  }, [problems, setErrors])

  const conflict = [save.error, check.error].find((error) => error !== null && isRevisionConflict(error))
  return {
    agent,
    form,
    check,
    save,
    isOutdated: conflict !== undefined,
    discard() {
      form.reset()
      save.reset()
      setErrors(fieldErrorsOf(problems ?? []))
    },
    async filesChanged() {
      const { id: agentId, draft_revision } = latest.current
      const { data } = await fetchApi.GET('/dashboard/api/v1/agents/{agentId}', { params: { path: { agentId } } })
      const fresh = data as Agent
      if (fresh.draft_revision.version === draft_revision.version + 1) takeOver(fresh)
      else await check.refetch()
    },
    markPublished(publication: Publication) {
      takeOver({
        ...agent,
        state: 'published',
        api_ready: agent.voice_config.tts_variant !== null,
        active_publication: publication,
      })
    },
  }
}
