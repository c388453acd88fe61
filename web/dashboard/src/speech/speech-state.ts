import type { SpeechEnd, TextRange } from '@parlance/client/speech'
import { type Problem, problemOf } from '../api/problem.js'
import { formatCount } from '../shared/quantities.js'

export type SpeechPhase = 'idle' | 'connecting' | 'speaking' | 'done' | 'stopped' | 'error'

/** What the page shows of a speech. */
export interface SpeechState {
  readonly phase: SpeechPhase
  /** The text of the speech; the ranges are of this text. */
  readonly text: string
  /** The word that plays. The text before it was spoken. Empty when no word plays. */
  readonly word: TextRange
  /** What happened, in words. */
  readonly status: string
  /** The text that was not spoken because of a stop. */
  readonly remaining: string
  readonly problem: Problem | null
  /** From the click to the first sound. */
  readonly firstAudioMs: number | null
  /** The part of it that the server took. */
  readonly serverMs: number | null
  /** What was played, in tenths of a second. */
  readonly playedTenths: number | null
  readonly billedCharacters: number | null
}

export type SpeechEvent =
  | { readonly type: 'connecting'; readonly text: string }
  | { readonly type: 'speaking' }
  | { readonly type: 'first-audio'; readonly ms: number }
  | { readonly type: 'played'; readonly positionMs: number; readonly word: TextRange | undefined }
  | { readonly type: 'done'; readonly end: Extract<SpeechEnd, { type: 'done' }> }
  | {
      readonly type: 'stopped'
      readonly spokenLength: number
      readonly playedMs: number
      /** Undefined until the server reports it. */
      readonly billedCharacters: number | undefined
    }
  | { readonly type: 'failed'; readonly error: unknown; readonly spokenLength: number }
  /** The text was changed, so that nothing of it has been spoken. */
  | { readonly type: 'edited' }
  | { readonly type: 'installed'; readonly voiceName: string }

const nowhere: TextRange = { from: 0, to: 0 }

export const notSpoken: SpeechState = {
  phase: 'idle',
  text: '',
  word: nowhere,
  status: 'Ready.',
  remaining: '',
  problem: null,
  firstAudioMs: null,
  serverMs: null,
  playedTenths: null,
  billedCharacters: null,
}

const tenthsOf = (ms: number): number => Math.round(ms / 100)

export const secondsOf = (tenths: number): string => `${(tenths / 10).toFixed(1)} s`

export const charactersOf = (count: number): string =>
  `${formatCount(count)} ${count === 1 ? 'character' : 'characters'}`

export const isBusy = ({ phase }: SpeechState): boolean => phase === 'connecting' || phase === 'speaking'

/** The state without what was said about the speech before. */
const enter = (state: SpeechState, phase: SpeechPhase, status = ''): SpeechState => ({
  ...state,
  ...{ phase, status, remaining: '', problem: null },
})

const stop = (state: SpeechState, event: Extract<SpeechEvent, { type: 'stopped' }>): SpeechState => {
  const { spokenLength, playedMs, billedCharacters = state.billedCharacters } = event
  const remaining = state.text.slice(spokenLength)
  const count = [...remaining].length
  const playedTenths = tenthsOf(playedMs)
  const status = `Stopped after ${secondsOf(playedTenths)}. ${charactersOf(count)} not spoken${count > 0 ? ':' : '.'}`
  return {
    ...enter(state, 'stopped', status),
    ...{ playedTenths, billedCharacters, word: { from: spokenLength, to: spokenLength }, remaining: remaining.trim() },
  }
}

const play = (state: SpeechState, positionMs: number, word: TextRange = nowhere): SpeechState => {
  const playedTenths = tenthsOf(positionMs)
  // The same state is drawn once, though this comes with each frame.
  return state.playedTenths === playedTenths && state.word.from === word.from && state.word.to === word.to
    ? state
    : { ...state, playedTenths, word }
}

export const nextSpeechState = (state: SpeechState, event: SpeechEvent): SpeechState => {
  switch (event.type) {
    case 'connecting':
      return { ...notSpoken, phase: 'connecting', status: 'Connecting…', text: event.text }
    case 'speaking':
      return enter(state, 'speaking', 'Speaking.')
    case 'first-audio':
      return { ...state, firstAudioMs: event.ms }
    case 'played':
      return play(state, event.positionMs, event.word)
    case 'done': {
      const { audioDurationMs, charactersBilled, ttfaMs } = event.end
      const playedTenths = tenthsOf(audioDurationMs)
      const status = `Done: ${secondsOf(playedTenths)} of speech, ${charactersOf(charactersBilled)} billed.`
      return {
        ...enter(state, 'done', status),
        ...{ playedTenths, billedCharacters: charactersBilled, serverMs: ttfaMs },
        word: { from: state.text.length, to: state.text.length },
      }
    }
    case 'stopped':
      return stop(state, event)
    case 'failed': {
      const { error, spokenLength } = event
      return {
        ...enter(state, 'error'),
        problem: problemOf(error),
        word: { from: spokenLength, to: spokenLength },
      }
    }
    case 'edited':
      return { ...enter(state, 'idle'), text: '', word: nowhere }
    case 'installed':
      return isBusy(state) ? state : enter(state, 'idle', `${event.voiceName} is installed and chosen.`)
  }
}
