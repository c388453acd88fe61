import { type UseParlance, useParlance } from '@parlance/react'
import { useReducer, useRef, useState } from 'react'
import { adviceFor, agentDoings } from './conversation-words.js'
import type { SessionRecord } from './talk-agents.js'
import { nextTalkState, notStarted, phaseOf, type TalkMode, type TalkPhase, type TalkState } from './talk-state.js'

export interface UseTalkOptions {
  readonly agentId: string
  /** Called for each conversation. */
  readonly sessionToken: () => Promise<string>
  /** Reads what was kept of a conversation that is over. */
  readonly readSession: (sessionId: string) => Promise<SessionRecord>
}

export interface Talk extends UseParlance, TalkState {
  readonly phase: TalkPhase
  /** What went wrong, and what the person can do; empty when nothing did. */
  readonly problem: string
  readonly mode: TalkMode
  setMode(mode: TalkMode): void
  readonly isMuted: boolean
  setMuted(muted: boolean): void
  /** Call it from a click, so that the browser lets the page play audio. */
  start(): void
}

const connectOptions = {
  automatic: { inputMode: 'automatic' },
  'push-to-talk': { inputMode: 'push-to-talk' },
  text: { inputMode: 'push-to-talk', microphone: false },
} as const

/** Conversations of a person with one Agent, one at a time. */
export const useTalk = ({ agentId, sessionToken, readSession }: UseTalkOptions): Talk => {
  const [state, dispatch] = useReducer(nextTalkState, notStarted)
  const [mode, setMode] = useState<TalkMode>('automatic')
  /** The last session, whose record is read when it is over. */
  const sessionId = useRef<string>(undefined)

  const doing = (words: string) => dispatch({ type: 'doing', doing: words })
  const showRecord = async () => {
    const id = sessionId.current
    const record = id === undefined ? undefined : await readSession(id).catch(() => undefined)
    // The person may have started another conversation meanwhile.
    if (record !== undefined && sessionId.current === id) dispatch({ type: 'kept', record })
  }

  const conversation = useParlance({
    agentId,
    sessionToken,
    avatar: () => import('@parlance/avatar'),
    on: {
      session(session) {
        if (session === null) return
        sessionId.current = session.id
        doing('Connected.')
      },
      agentState: (agentState) => doing(agentDoings[agentState]),
      userSpeech({ started, recognized }) {
        if (started) doing('Hearing you')
        else if (recognized === false) doing('That was not understood. Say it again.')
      },
      metrics: (turn) => dispatch({ type: 'measured', turn }),
      ending: (ending) => dispatch({ type: 'ending', ...ending }),
      disconnected({ reason }) {
        dispatch({ type: 'ended', reason })
        void showRecord()
      },
    },
  })

  const setMuted = (muted: boolean) => {
    if (muted) conversation.mute()
    else conversation.unmute()
  }

  return {
    ...conversation,
    ...state,
    phase: phaseOf(conversation.connectionState),
    problem: conversation.error === null ? '' : adviceFor(conversation.error),
    mode,
    setMode,
    isMuted: conversation.muted,
    setMuted,
    start() {
      sessionId.current = undefined
      setMuted(false)
      dispatch({ type: 'started', mode })
      void conversation.connect(connectOptions[mode]).then((session) => {
        if (session === undefined) dispatch({ type: 'failed' })
      })
    },
  }
}
