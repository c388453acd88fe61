/**
 * The user's speech as events of the protocol: from `speech_started` to the transcript of its item.
 *
 * While the agent speaks, a voice is held back until it interrupts: a client stops its playback at `speech_started`.
 */
import { newRealtimeId, realtimeUserItem } from '@parlance/contracts'
import type { Emit, RealtimeItems } from './realtime-events.js'

/** Times are in ms of the audio. */
type Speech =
  | { readonly name: 'none' }
  /** The client was not sent it. It may have ended. */
  | { readonly name: 'held'; readonly id: string; readonly startMs: number; readonly endMs: number | null }
  | { readonly name: 'reported'; readonly id: string }

interface UserSpeechOptions {
  readonly emit: Emit
  readonly items: Pick<RealtimeItems, 'add' | 'done' | 'replace' | 'lastId'>
  /** Whether the client wants the transcript. */
  transcribes(): boolean
}

export const createUserSpeech = ({ emit, items, transcribes }: UserSpeechOptions) => {
  let speech: Speech = { name: 'none' }
  /** The items whose text is awaited, oldest first. */
  let unrecognized: string[] = []
  let recognizedSeconds = 0

  const commit = (id: string): void => {
    emit('input_audio_buffer.committed', { previous_item_id: items.lastId(), item_id: id })
    items.add(realtimeUserItem(id, null))
    items.done(realtimeUserItem(id, null))
    unrecognized.push(id)
  }

  const stop = (id: string, endMs: number): void => {
    speech = { name: 'none' }
    emit('input_audio_buffer.speech_stopped', { audio_end_ms: endMs, item_id: id })
    commit(id)
  }

  /** Reports speech that was held back. */
  const release = (): void => {
    if (speech.name !== 'held') return
    const { id, startMs, endMs } = speech
    emit('input_audio_buffer.speech_started', { audio_start_ms: startMs, item_id: id })
    if (endMs === null) speech = { name: 'reported', id }
    else stop(id, endMs)
  }

  /** The oldest item has this text. */
  const complete = (transcript: string): void => {
    if (unrecognized.length === 0 && speech.name === 'held' && speech.endMs !== null) release()
    if (unrecognized.length === 0) commit(newRealtimeId('item'))
    const id = unrecognized.shift()!
    items.replace(realtimeUserItem(id, transcript))
    if (!transcribes()) return
    const where = { item_id: id, content_index: 0 }
    if (transcript !== '') emit('conversation.item.input_audio_transcription.delta', { ...where, delta: transcript })
    const usage = { type: 'duration', seconds: recognizedSeconds }
    emit('conversation.item.input_audio_transcription.completed', { ...where, transcript, usage })
    recognizedSeconds = 0
  }

  return {
    release,
    complete,
    /** The client has committed the audio. */
    commit,
    /** The text of this item will be recognized, which was added already. */
    awaitText: (id: string) => void unrecognized.push(id),
    awaitsText: () => unrecognized.length > 0,
    forget(id: string) {
      unrecognized = unrecognized.filter((other) => other !== id)
    },
    start(startMs: number, isHeld: boolean) {
      speech = { name: 'held', id: newRealtimeId('item'), startMs, endMs: null }
      if (!isHeld) release()
    },
    end(endMs: number) {
      if (speech.name === 'held') speech = { ...speech, endMs }
      else if (speech.name === 'reported') stop(speech.id, endMs)
    },
    /** The agent's turn ends without an interruption. Speech that ended during it may have been a back-channel. */
    releaseUnended() {
      if (speech.name === 'held' && speech.endMs === null) release()
    },
    /** Nothing was recognized of what has ended. */
    discard() {
      if (speech.name === 'held') speech = { name: 'none' }
      if (unrecognized.length > 0) complete('')
    },
    cancel() {
      speech = { name: 'none' }
    },
    recognized(seconds: number) {
      recognizedSeconds += seconds
    },
  }
}
