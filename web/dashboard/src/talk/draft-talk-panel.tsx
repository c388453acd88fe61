import { api, fetchApi } from '../api/api.js'
import { mintDraftSessionToken, readEndedSession } from './talk-agents.js'
import { TalkPanel } from './talk-panel.js'

export interface DraftTalkPanelProps {
  readonly agentId: string
  readonly avatarId: string | null
  /** Called when a conversation starts: saves what is not saved yet. What it rejects with is shown. */
  readonly save?: () => Promise<unknown>
}

/** A conversation with the draft of an Agent, for the page on which it is edited. */
export const DraftTalkPanel = ({ agentId, avatarId, save }: DraftTalkPanelProps) => {
  const agent = api.useQuery('get', '/dashboard/api/v1/agents/{agentId}', { params: { path: { agentId } } })
  return (
    <TalkPanel
      agentId={agentId}
      api={fetchApi}
      avatarId={avatarId}
      linksToRecord
      language={agent.data?.stt_config?.language}
      sessionToken={async () => {
        await save?.()
        return mintDraftSessionToken(agentId)
      }}
      readSession={(sessionId) => readEndedSession(fetchApi, sessionId)}
    />
  )
}
