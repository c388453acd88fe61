import { Button, NativeSelect, Stack } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { MessageCircle } from 'lucide-react'
import { memo, useEffect, useId, useMemo, useState } from 'react'
import { type Api, fetchApi } from '../api/api.js'
import { isUnauthorized } from '../api/problem.js'
import { NoModelNotice } from '../model-providers/no-model-notice.js'
import { useSignedIn } from '../session/signed-in.js'
import { Empty } from '../shared/empty.js'
import { Loaded } from '../shared/loaded.js'
import { Page } from '../shared/page.js'
import { ProblemAlert } from '../shared/problem-alert.js'
import { type Agent, listTalkAgents, makeFirstAgent, mintSessionToken, readEndedSession } from './talk-agents.js'
import { TalkPanel } from './talk-panel.js'

interface TalkWorkbenchProps {
  readonly api: Api
  /** The user of Agents with memory or a calendar: a UUID. */
  readonly endUserId: string | undefined
  readonly isMember: boolean
  /** The credential of `api` is not valid any more. */
  onUnauthorized?(): void
}

interface AgentFieldProps {
  readonly agents: readonly Agent[]
  readonly agent: Agent
  readonly disabled: boolean
  onChange(id: string): void
}

/**
 * A conversation changes often, and the choice may be one of a thousand: it is rendered when it changes, and its options when
 * the Agents do.
 */
const AgentField = memo(({ agents, agent, disabled, onChange }: AgentFieldProps) => {
  const options = useMemo(
    () =>
      agents.map(({ id, display_name }) => (
        <option key={id} value={id}>
          {display_name}
        </option>
      )),
    [agents],
  )
  return (
    <NativeSelect
      id="agent"
      label="Agent"
      value={agent.id}
      disabled={disabled}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    >
      {options}
    </NativeSelect>
  )
})

/** A choice among the published Agents of a workspace, and a conversation with the chosen one. */
export const TalkWorkbench = ({ api, endUserId, isMember, onUnauthorized }: TalkWorkbenchProps) => {
  const agents = useQuery({ queryKey: ['talk-agents', useId()], queryFn: () => listTalkAgents(api), gcTime: 0 })
  const make = useMutation({ mutationFn: () => makeFirstAgent(api), onSuccess: () => agents.refetch() })
  const [chosen, setChosen] = useState<string>()
  const isRefused = isUnauthorized(agents.error) || isUnauthorized(make.error)
  useEffect(() => {
    if (isRefused) onUnauthorized?.()
  }, [isRefused, onUnauthorized])

  /** What the panel calls fails with the error, and may end the use of the credential. */
  const watched = async <Value,>(call: Promise<Value>): Promise<Value> =>
    call.catch((error: unknown) => {
      if (isUnauthorized(error)) onUnauthorized?.()
      throw error
    })

  const first = (
    <>
      <ProblemAlert error={make.error} />
      <Button id="make-agent" loading={make.isPending} onClick={() => make.mutate()}>
        Make a first Agent
      </Button>
    </>
  )
  return (
    <Loaded query={agents}>
      {(listed) => {
        const agent = listed.find(({ id }) => id === chosen) ?? listed[0]
        if (agent === undefined) {
          return (
            <Empty icon={MessageCircle} title="There is no published Agent yet" action={first}>
              The first one needs no account anywhere: it answers by rules.
            </Empty>
          )
        }
        return (
          <Stack>
            <TalkPanel
              agentId={agent.id}
              api={api}
              language={agent.stt_config?.language}
              avatarId={agent.avatar_id ?? null}
              isMember={isMember}
              sessionToken={(consents) => watched(mintSessionToken(api, agent, { endUserId, consents }))}
              readSession={(id) => readEndedSession(api, id)}
              choices={(isBusy) => <AgentField agents={listed} agent={agent} disabled={isBusy} onChange={setChosen} />}
            />
            <NoModelNotice provider={agent.llm_provider} canChoose={isMember} />
          </Stack>
        )
      }}
    </Loaded>
  )
}

/** Conversations with the Agents of the workspace. */
export const TalkPage = () => (
  <Page title="Talk">
    <TalkWorkbench api={fetchApi} endUserId={useSignedIn().person.id} isMember />
  </Page>
)
