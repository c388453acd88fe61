import { type Problem, problemOf } from '../../api/problem.js'
import type { NaturalVoiceOffer } from './voice-installation.js'

/** `elsewhere`: only a command can install the voice. */
export type NaturalVoicePhase = 'offered' | 'elsewhere' | 'downloading' | 'measuring' | 'loading' | 'failed'

export interface NaturalVoiceState {
  readonly phase: NaturalVoicePhase
  readonly offer: NaturalVoiceOffer
  readonly receivedBytes: number
  readonly problem: Problem | null
}

export type NaturalVoiceEvent =
  | { readonly type: 'offered'; readonly offer: NaturalVoiceOffer }
  | { readonly type: 'received'; readonly bytes: number }
  | { readonly type: 'measuring' | 'loading' | 'cancelled' | 'installed' }
  | { readonly type: 'failed'; readonly error: unknown }

/** Undefined while there is no offer. */
export const nextNaturalVoiceState = (
  state: NaturalVoiceState | undefined,
  event: NaturalVoiceEvent,
): NaturalVoiceState | undefined => {
  if (event.type === 'offered') {
    const { offer } = event
    return { offer, phase: offer.voice === null ? 'elsewhere' : 'offered', receivedBytes: 0, problem: null }
  }
  if (state === undefined || event.type === 'installed') return undefined
  switch (event.type) {
    case 'received':
      return { ...state, phase: 'downloading', receivedBytes: event.bytes, problem: null }
    case 'cancelled':
      return { ...state, phase: 'offered' }
    case 'failed':
      return { ...state, phase: 'failed', problem: problemOf(event.error) }
    default:
      return { ...state, phase: event.type }
  }
}

/** With one digit, so that it stays as wide while it grows. */
export const megabytes = (bytes: number | null): string =>
  bytes === null ? 'unknown size' : `${(bytes / 1e6).toFixed(1)} MB`

/** What has arrived, from 0 to 1. */
export const receivedShare = ({ offer, receivedBytes }: NaturalVoiceState): number =>
  offer.voice?.size_bytes ? Math.min(receivedBytes / offer.voice.size_bytes, 1) : 0

const percentOf = (state: NaturalVoiceState): string => `${Math.floor(receivedShare(state) * 100)} %`

/** What happens now, in the dialog. */
export const installationStatus = (state: NaturalVoiceState): string => {
  if (state.phase === 'measuring') return 'Measuring how fast it speaks…'
  if (state.phase === 'loading') return 'Loading the voice…'
  return `${megabytes(state.receivedBytes)} of ${megabytes(state.offer.voice?.size_bytes ?? 0)}, ${percentOf(state)}`
}

/** On the button that opens the dialog. */
export const offerLabel = (state: NaturalVoiceState): string => {
  if (state.phase === 'downloading') return `Downloading, ${percentOf(state)}`
  return state.phase === 'measuring' || state.phase === 'loading' ? installationStatus(state) : 'Get a natural voice'
}
