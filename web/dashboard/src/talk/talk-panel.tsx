import { Paper } from '@mantine/core'
import type { ReactNode } from 'react'
import { useRef } from 'react'
import { TurnList } from '../conversations/turn-waterfall.js'
import { AgentStage, type AgentStageProps } from './agent-stage.js'
import { DeviceMenu } from './device-menu.js'
import { MessageForm } from './message-form.js'
import { ModeField } from './mode-field.js'
import { RecognizerNotice } from './recognizer-notice.js'
import { TalkControls } from './talk-controls.js'
import classes from './talk-panel.module.css'
import { TalkTranscript } from './talk-transcript.js'
import { useMovedFocus } from './use-moved-focus.js'
import { type UseTalkOptions, useTalk } from './use-talk.js'
import { useTalkKeys } from './use-talk-keys.js'

export interface TalkPanelProps extends UseTalkOptions, Pick<AgentStageProps, 'api' | 'avatarId'> {
  /** In which the user speaks, a BCP 47 tag; undefined while it is not known. */
  readonly language: string | undefined
  /** Shown before the choice of the input, such as a choice of Agents. It cannot be used during a conversation. */
  readonly choices?: (isBusy: boolean) => ReactNode
  /** Shown below the choices. It cannot be used during a conversation. */
  readonly consent?: (isBusy: boolean) => ReactNode
  /** Whether the person can open the record of a conversation that is over. */
  readonly linksToRecord: boolean
}

/**
 * A conversation with an Agent, by voice or by text: the Agent with the controls below it, the transcript beside it, and the
 * timings of the turns folded away. On a phone the transcript is below the controls.
 */
export const TalkPanel = ({ choices, consent, api, avatarId, language, linksToRecord, ...options }: TalkPanelProps) => {
  const talk = useTalk(options)
  const panel = useRef<HTMLElement>(null)
  const keys = useTalkKeys(talk, panel)
  useMovedFocus(talk, panel)
  const isBusy = talk.phase !== 'idle'
  return (
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
            <DeviceMenu client={talk.client} phase={talk.phase} />
          </div>
          {consent?.(isBusy)}
          <AgentStage talk={talk} api={api} avatarId={avatarId} />
          <TalkControls talk={talk} keys={keys} linksToRecord={linksToRecord} />
        </div>
        <div className={classes.words}>
          <TalkTranscript messages={talk.transcript} />
          <MessageForm isLive={talk.phase === 'live'} onSend={talk.sendText} />
        </div>
      </div>
      {talk.turns.length > 0 && (
        <details className={classes.timings}>
          <summary>Timings of the turns</summary>
          <TurnList turns={talk.turns} />
        </details>
      )}
    </Paper>
  )
}
