import { Checkbox, NativeSelect, Paper } from '@mantine/core'
import { Composer, DeviceMenu, ParlanceProvider, Transcript } from '@parlance/react'
import '@parlance/react/styles.css'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { api as dashboardApi } from '../api/api.js'
import { TurnList } from '../conversations/turn-waterfall.js'
import { AgentStage, type AgentStageProps } from './agent-stage.js'
import { RecognizerNotice } from './recognizer-notice.js'
import { TalkControls } from './talk-controls.js'
import classes from './talk-panel.module.css'
import type { TalkMode } from './talk-state.js'
import { type Talk, type UseTalkOptions, useTalk } from './use-talk.js'
import { useTalkKeys } from './use-talk-keys.js'

const modes: readonly { readonly value: TalkMode; readonly label: string }[] = [
  { value: 'automatic', label: 'Speak freely' },
  { value: 'push-to-talk', label: 'Hold a button to speak' },
  { value: 'text', label: 'Type only' },
]

interface ModeFieldProps {
  readonly mode: TalkMode
  onChange(mode: TalkMode): void
  readonly disabled: boolean
}

/** How the user takes part in the next conversation. */
const ModeField = ({ mode, onChange, disabled }: ModeFieldProps) => (
  <NativeSelect
    id="mode"
    label="Input"
    value={mode}
    disabled={disabled}
    onChange={({ currentTarget }) => onChange(currentTarget.value as TalkMode)}
    data={modes}
  />
)

/** The element that a person without a mouse needs next when the conversation has begun. */
const liveTargets = { automatic: '#hang-up', 'push-to-talk': '#hold', text: '.parlance-composer input' } as const

const targetOf = ({ phase, mode }: Talk): string => {
  if (phase === 'live') return liveTargets[mode]
  return phase === 'idle' ? '#start' : '#hang-up'
}

/** Moves the focus when a conversation begins or ends, because the focused button disappears. */
const useMovedFocus = (talk: Talk, panel: RefObject<HTMLElement | null>): void => {
  const { phase } = talk
  const previous = useRef(phase)
  useEffect(() => {
    if (previous.current === phase) return
    previous.current = phase
    const { activeElement } = document
    const isLost = activeElement === null || activeElement === document.body
    if (isLost || activeElement.id === 'hang-up') {
      panel.current?.querySelector<HTMLElement>(targetOf(talk))?.focus({ preventScroll: true })
    }
  })
}

interface ConsentFieldProps {
  readonly agentId: string
  readonly consents: boolean
  readonly disabled: boolean
  onChange(consents: boolean): void
}

/** The consent of the person to the recording of the next conversation. Nothing when the Agent needs no consent. */
const ConsentField = ({ agentId, consents, disabled, onChange }: ConsentFieldProps) => {
  const { data: needsConsent } = dashboardApi.useQuery(
    'get',
    '/dashboard/api/agents/{agentId}/recording',
    { params: { path: { agentId } } },
    { select: ({ settings, available }) => available && settings.enabled && settings.consent_required },
  )
  if (!needsConsent) return null
  return (
    <Checkbox
      id="consent"
      mb="sm"
      label="Record this conversation"
      description="The Agent is recorded only with the consent of its user."
      checked={consents}
      disabled={disabled}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
  )
}

interface TalkPanelProps extends Omit<UseTalkOptions, 'sessionToken'>, Pick<AgentStageProps, 'api' | 'avatarId'> {
  /** Called for each conversation, with whether the person consents to a recording. */
  readonly sessionToken: (consents: boolean) => Promise<string>
  /** In which the user speaks, a BCP 47 tag; undefined while it is not known. */
  readonly language: string | undefined
  /** Shown before the choice of the input, such as a choice of Agents. It cannot be used during a conversation. */
  readonly choices?: (isBusy: boolean) => ReactNode
  /** Whether the person can consent to a recording, and open the record of a conversation that is over. */
  readonly isMember: boolean
}

/**
 * A conversation with an Agent, by voice or by text: the Agent with the controls below it, the transcript beside it, and the
 * timings of the turns folded away. On a phone the transcript is below the controls.
 */
export const TalkPanel = (props: TalkPanelProps) => {
  const { agentId, sessionToken, readSession, choices, api, avatarId, language, isMember } = props
  /** Another Agent needs another consent. */
  const [consentedTo, setConsentedTo] = useState<string>()
  const consents = consentedTo === agentId
  const talk = useTalk({ agentId, sessionToken: () => sessionToken(consents), readSession })
  const panel = useRef<HTMLElement>(null)
  const keys = useTalkKeys(talk, panel)
  useMovedFocus(talk, panel)
  const isBusy = talk.phase !== 'idle'
  return (
    <ParlanceProvider client={talk.client}>
      <Paper
        ref={panel}
        component="section"
        id="conversation"
        withBorder
        aria-label="Conversation"
        className={classes.panel}
        data-state={talk.phase}
      >
        {language !== undefined && (
          <RecognizerNotice
            api={api}
            language={language}
            onType={isBusy || talk.mode === 'text' ? undefined : () => talk.setMode('text')}
          />
        )}
        <div className={classes.layout}>
          <div className={classes.agent}>
            <div className={classes.choices}>
              {choices?.(isBusy)}
              <ModeField mode={talk.mode} onChange={talk.setMode} disabled={isBusy} />
              <DeviceMenu />
            </div>
            {isMember && (
              <ConsentField
                agentId={agentId}
                consents={consents}
                disabled={isBusy}
                onChange={(checked) => setConsentedTo(checked ? agentId : undefined)}
              />
            )}
            <AgentStage talk={talk} api={api} avatarId={avatarId} />
            <TalkControls talk={talk} keys={keys} isMember={isMember} />
          </div>
          <div className={classes.words}>
            <div id="transcript" className={classes.transcript}>
              <Transcript />
            </div>
            <div className={classes.message}>
              <Composer />
            </div>
          </div>
        </div>
        {talk.turns.length > 0 && (
          <details className={classes.timings}>
            <summary>Timings of the turns</summary>
            <TurnList turns={talk.turns} />
          </details>
        )}
      </Paper>
    </ParlanceProvider>
  )
}
