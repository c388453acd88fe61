import type { SessionUsage } from '@parlance/contracts'
import type { Said, TurnDecision, TurnEvent } from '../../turn/turn-event.js'
import { createListening, type ListeningOptions } from './listening.js'
import type { Transcript, TranscriptEntry } from './transcript.js'
import { createTurnClock, type TurnClock } from './turn-clock.js'

/** What the user says: from his voice, or his keyboard, to a message. */
export interface UserTurns {
  hear(frame: Int16Array): void
  mute(muted: boolean): void
  perform(decision: Extract<TurnDecision, { decision: 'listen' | 'understand' | 'forget' }>): void
  /** Keeps what was said. Returns the clock of the turn that begins with it. */
  commit(said: Said): TurnClock
  close(): void
}

export interface UserTurnsOptions
  extends Pick<ListeningOptions, 'inputMode' | 'language' | 'recognizer' | 'voiceDetector' | 'onBroken'> {
  readonly transcript: Transcript
  happened(event: TurnEvent): void
  used(usage: Partial<SessionUsage>): void
  onSucceeded(): void
  onFailed(error: unknown): void
}

interface Heard {
  readonly entry: TranscriptEntry
  clock: TurnClock
}

export const createUserTurns = (options: UserTurnsOptions): UserTurns => {
  const { transcript, happened, used, onSucceeded, onFailed } = options
  const heard = new Map<number, Heard>()

  /** Of it no message will come, unless one has already. */
  const drop = (utterance: number): void => {
    heard.get(utterance)?.entry.close('')
    heard.delete(utterance)
  }

  const understood = (utterance: number, text: string): void => {
    heard.get(utterance)?.clock.mark('understood')
    happened({ event: 'final', utterance, text })
    drop(utterance)
  }

  const listening = createListening({
    ...options,
    onVoice: (on, agoMs) => happened({ event: 'voice', on, agoMs }),
    onPartial(utterance, text) {
      heard.get(utterance)?.entry.grow(text)
      happened({ event: 'partial', utterance, text })
    },
    onFinal(utterance, text, audioMs) {
      used({ stt_seconds: audioMs / 1000 })
      onSucceeded()
      understood(utterance, text)
    },
    onFailed(utterance, error) {
      onFailed(error)
      understood(utterance, '')
    },
  })

  return {
    hear: listening.hear,
    mute: listening.mute,
    perform(decision) {
      const { utterance } = decision
      switch (decision.decision) {
        case 'listen':
          heard.set(utterance, { entry: transcript.begin('user'), clock: createTurnClock() })
          return listening.begin(utterance)
        case 'understand': {
          const clock = createTurnClock(decision.endpointingMs)
          clock.mark('ended')
          const { entry } = heard.get(utterance)!
          heard.set(utterance, { entry, clock })
          return listening.finish(utterance)
        }
        case 'forget':
          listening.cancel(utterance)
          return drop(utterance)
      }
    },
    commit(said) {
      if ('id' in said) {
        transcript.begin('user', { id: said.id }).close(said.text)
        return createTurnClock()
      }
      const { entry, clock } = heard.get(said.utterance)!
      entry.close(said.text)
      return clock
    },
    close() {
      listening.close()
      for (const utterance of [...heard.keys()]) drop(utterance)
    },
  }
}
