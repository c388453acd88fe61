import { type Completeness, completenessOf, completenessOfSound, knowsWordsOf } from './completeness.js'
import type { TurnOptions } from './turn-state.js'
import { hasWords, pausedSinceMs, type Utterance } from './utterance.js'

/**
 * What decided that an utterance is over: how it sounds, its words, the recognizer, silence alone, the user's button, or the
 * limit of its duration.
 */
export type EndpointDecider = 'audio' | 'text' | 'recognizer' | 'silence' | 'user' | 'limit'

export type EndpointOptions = Pick<TurnOptions, 'language' | 'turnConfig' | 'recognizerEndsTurns'>

/** Voice without a pause for longer than this is not a user, but a television, for example. */
const maxUtteranceMs = 120_000

interface Judgement {
  readonly completeness: Completeness
  readonly decidedBy: EndpointDecider
}

/** The judgement of the words so far; undefined without words, and for a language without a list of words. */
const judgeWords = (partial: string, language: string): Completeness | undefined =>
  hasWords({ partial }) && knowsWordsOf(language) ? completenessOf(partial, language) : undefined

/** The judgement of the sound; undefined until the detector has responded. */
const judgeSound = ({ sound }: Utterance): Completeness | undefined =>
  sound.name === 'pause' && sound.completeProbability !== null
    ? completenessOfSound(sound.completeProbability)
    : undefined

/** Whether the detector's answer, or the text so far, is still to come. */
const isAwaited = ({ sound }: Utterance): boolean =>
  sound.name === 'pause' && (sound.detection === 'requested' || sound.preview === 'requested')

/**
 * Text that needs more words is not complete, whatever the sound. Text that can end a sentence, with a sound that is not
 * complete, is `likely`. This limits the delay when the sound was judged wrongly, as does `likely` until all is known.
 */
const judgeKnown = (utterance: Utterance, { language, recognizerEndsTurns }: EndpointOptions): Judgement => {
  if (utterance.isReportedOver) return { completeness: 'complete', decidedBy: 'recognizer' }
  if (recognizerEndsTurns) return { completeness: 'incomplete', decidedBy: 'silence' }
  const { partial } = utterance
  const byWords = judgeWords(partial, language)
  const bySound = judgeSound(utterance)
  if (bySound === undefined) {
    return { completeness: completenessOf(partial, language), decidedBy: hasWords(utterance) ? 'text' : 'silence' }
  }
  if (byWords === 'incomplete' || (byWords === 'uncertain' && bySound !== 'incomplete'))
    return { completeness: byWords, decidedBy: 'text' }
  const completeness = byWords === 'complete' && bySound === 'incomplete' ? 'likely' : bySound
  return { completeness, decidedBy: 'audio' }
}

const judge = (utterance: Utterance, options: EndpointOptions): Judgement => {
  const known = judgeKnown(utterance, options)
  const isKnown = known.completeness !== 'complete' || known.decidedBy === 'recognizer' || !isAwaited(utterance)
  return isKnown ? known : { ...known, completeness: 'likely' }
}

/** How long the user may pause before the utterance is over. */
const pauseMs = (completeness: Completeness, turnConfig: TurnOptions['turnConfig']): number => {
  const { endpointing_min_ms: minMs, endpointing_max_ms: maxMs } = turnConfig
  const longerMs = Math.max(0, maxMs - minMs)
  switch (completeness) {
    case 'complete':
      return minMs
    case 'likely':
      return minMs + longerMs / 4
    case 'uncertain':
      return minMs + longerMs / 2
    case 'incomplete':
      return minMs + longerMs
  }
}

export interface Endpoint {
  /** The end of the utterance if no more voice follows. */
  readonly atMs: number
  readonly decidedBy: EndpointDecider
}

/** The end of an utterance as it is expected now. In push-to-talk the user marks the end. */
export const endpointOf = (utterance: Utterance, options: EndpointOptions): Endpoint => {
  const silentSinceMs = pausedSinceMs(utterance)
  if (utterance.startedBy === 'push-to-talk' || silentSinceMs === null)
    return { atMs: utterance.beganMs + maxUtteranceMs, decidedBy: 'limit' }
  const { completeness, decidedBy } = judge(utterance, options)
  return { atMs: silentSinceMs + pauseMs(completeness, options.turnConfig), decidedBy }
}
