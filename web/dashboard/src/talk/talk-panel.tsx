import { Paper } from '@mantine/core'
import type { ReactNode } from 'react'
import { useRef } from 'react'
import type { Api } from '../api/api.js'
import { AvatarStage } from './avatar-stage.js'
import { MessageForm } from './message-form.js'
import { ModeField } from './mode-field.js'
import { RecognizerNotice } from './recognizer-notice.js'
import { TalkControls } from './talk-controls.js'
import classes from './talk-panel.module.css'
import { TalkTranscript } from './talk-transcript.js'
import { TurnTimes } from './turn-times.js'
import { useMovedFocus } from './use-moved-focus.js'
import { type UseTalkOptions, useTalk } from './use-talk.js'
import { useTalkKeys } from './use-talk-keys.js'

export interface TalkPanelProps extends UseTalkOptions {
  readonly api: Api
  /** In which the user speaks, a BCP 47 tag; undefined while it is not known. */
  readonly language: string | undefined
  /** Shown before the choice of the input, such as a choice of Agents. It cannot be used during a conversation. */
  readonly choices?: (isBusy: boolean) => ReactNode
}

/**
 * A conversation with an Agent, by voice or by text: its controls, its transcript, and how long the parts of each turn took. It
 * fits into a column of 320 px, and uses a wide one for two columns.
 */
export const TalkPanel = ({ choices, api, language, ...options }: TalkPanelProps) => {
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
      <div className={classes.layout}>
        <div className={classes.talk}>
          <div className={classes.choices}>
            {choices?.(isBusy)}
            <ModeField mode={talk.mode} onChange={talk.setMode} disabled={isBusy} />
          </div>
          {language !== undefined && (
            <RecognizerNotice
              api={api}
              language={language}
              onType={isBusy || talk.mode === 'text' ? undefined : () => talk.setMode('text')}
            />
          )}
          <TalkControls talk={talk} keys={keys} />
          <TalkTranscript messages={talk.transcript} />
          <MessageForm isLive={talk.phase === 'live'} onSend={talk.sendText} />
        </div>
        <div className={classes.aside}>
          <AvatarStage talk={talk} />
          <TurnTimes turns={talk.turns} />
        </div>
      </div>
    </Paper>
  )
}
