import type { SessionUsage } from '@parlance/contracts'
import type { Logger, Span } from '@parlance/telemetry'
import type { TurnDetector } from '../../turn-detector/turn-detector.js'
import type { StartSessionSpan } from '../conversation.js'
import type { StageFailures } from '../stage-failures.js'
import type { Transcript, TranscriptEntry } from '../transcript.js'
import { TurnClock } from '../turn/turn-clock.js'
import type { TurnEffect, TurnEvent, UserInput } from '../turn/turn-state.js'
import { createUserAudio, type UserAudioOptions } from './user-audio.js'

interface UserTurnsOptions
  extends Pick<
      UserAudioOptions,
      'inputMode' | 'language' | 'recognizer' | 'voiceDetector' | 'audioFilter' | 'onBroken' | 'onUserAudio'
    >,
    StageFailures {
  readonly sessionId: string
  readonly logger: Logger
  readonly transcript: Transcript
  readonly turnDetector: TurnDetector | undefined
  readonly startSpan: StartSessionSpan
  dispatch(event: TurnEvent): void
  used(usage: Partial<SessionUsage>): void
}

/** An utterance that is in progress or awaits its text. */
interface OpenUtterance {
  readonly entry: TranscriptEntry
  clock: TurnClock
  levelDb?: number | undefined
  /** Of the time in which the text is awaited. */
  span?: Span | undefined
}

export type UserTurns = ReturnType<typeof createUserTurns>

/** The user's input, from voice or keyboard to a message. */
export const createUserTurns = (options: UserTurnsOptions) => {
  const { sessionId, logger, transcript, turnDetector, startSpan } = options
  const { dispatch, used, onSucceeded, onFailed, onBroken } = options
  const open = new Map<number, OpenUtterance>()

  /** Withdraws its message, unless that is final. */
  const drop = (utterance: number): void => {
    open.get(utterance)?.entry.close('')
    open.get(utterance)?.span?.end()
    open.delete(utterance)
  }

  const levelOf = (utterance: number): { levelDb?: number } => {
    const levelDb = open.get(utterance)?.levelDb ?? audio.levelDb()
    return levelDb === undefined ? {} : { levelDb }
  }

  const onRecognized = (utterance: number, text: string): void => {
    open.get(utterance)?.clock.mark('recognized')
    open.get(utterance)?.span?.end()
    dispatch({ event: 'final', utterance, text, ...levelOf(utterance) })
    // An utterance with text is committed or cancelled, now or later.
    if (text.trim() === '') drop(utterance)
  }

  const audio = createUserAudio({
    ...options,
    onVoice: (on, agoMs) => dispatch({ event: 'voice', on, agoMs }),
    onPartial(utterance, text) {
      open.get(utterance)?.entry.grow(text)
      dispatch({ event: 'partial', utterance, text, ...levelOf(utterance) })
    },
    onEndOfTurn: (utterance) => dispatch({ event: 'turn.ended', utterance }),
    onFinal(utterance, text, audioMs) {
      used({ stt_seconds: audioMs / 1000 })
      onSucceeded('stt')
      onRecognized(utterance, text)
    },
    onFailed(utterance, error) {
      open.get(utterance)?.span?.end(error)
      onFailed('stt', error)
      onRecognized(utterance, '')
    },
  })

  const detect = async ({ utterance, pause }: Extract<TurnEffect, { effect: 'turn.detect' }>): Promise<void> => {
    const completeProbability = (await turnDetector?.detect(audio.recent())) ?? null
    dispatch({ event: 'turn.detected', utterance, pause, completeProbability })
  }

  const preview = async ({
    utterance,
    pause,
  }: Extract<TurnEffect, { effect: 'recognition.preview' }>): Promise<void> => {
    const text = await audio.preview(utterance)
    dispatch({ event: 'previewed', utterance, pause, text: text ?? null, ...levelOf(utterance) })
  }

  return {
    push: audio.push,
    mute: audio.mute,
    perform(effect: Extract<TurnEffect, { effect: `recognition.${string}` | 'turn.detect' }>) {
      const { utterance } = effect
      switch (effect.effect) {
        case 'recognition.begin':
          open.set(utterance, { entry: transcript.begin('user'), clock: new TurnClock() })
          return audio.begin(utterance)
        case 'recognition.finish': {
          const clock = new TurnClock(effect.endpointingMs)
          clock.mark('ended')
          const finished = open.get(utterance)!
          finished.clock = clock
          finished.levelDb = audio.levelDb()
          finished.span = startSpan('speech_to_text', { 'gen_ai.operation.name': 'speech_to_text' })
          logger.debug(
            { component: 'turn', sessionId, code: effect.decidedBy, durationMs: effect.endpointingMs },
            'The user has finished: the code names what decided it, after so much silence',
          )
          return audio.finish(utterance)
        }
        case 'recognition.cancel':
          audio.cancel(utterance)
          return drop(utterance)
        case 'recognition.preview':
          return void preview(effect).catch(onBroken)
        case 'turn.detect':
          return void detect(effect).catch(onBroken)
      }
    },
    /** Adds the input to the transcript. Returns the clock of the turn that begins with it. */
    commit(input: UserInput): TurnClock {
      if ('id' in input) {
        transcript.begin('user', { id: input.id }).close(input.text)
        return new TurnClock()
      }
      const { entry, clock } = open.get(input.utterance)!
      open.delete(input.utterance)
      entry.close(input.text)
      return clock
    },
    close() {
      audio.close()
      for (const utterance of [...open.keys()]) drop(utterance)
    },
  }
}
