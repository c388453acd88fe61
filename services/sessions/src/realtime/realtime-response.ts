/** One response of OpenAI's Realtime protocol: the order and the form of its events. */
import { newRealtimeId, type RealtimeAudioFormat, type RealtimeItem, type SessionUsage } from '@parlance/contracts'
import type { Emit, RealtimeItems } from './realtime-events.js'

interface ResponseOptions {
  readonly emit: Emit
  readonly items: Pick<RealtimeItems, 'add' | 'done'>
  /** A response of text is not spoken. */
  readonly modality: 'audio' | 'text'
  readonly metadata: Readonly<Record<string, string>> | null
  readonly voice: string
  readonly format: RealtimeAudioFormat
  /** Whether audio is sent beside the events, as a track. */
  readonly hasTrack: boolean
}

export type ResponseEnd =
  | { readonly status: 'completed' }
  | { readonly status: 'cancelled'; readonly reason: 'turn_detected' | 'client_cancelled' }
  | { readonly status: 'failed'; readonly error: { readonly type: string; readonly code: string } }

export type ResponseUsage = Pick<SessionUsage, 'llm_input_tokens' | 'llm_output_tokens'>

/** A token of the protocol is one of the language model. Audio is not counted in tokens here. */
const usageFields = ({ llm_input_tokens: input, llm_output_tokens: output }: ResponseUsage) => ({
  total_tokens: input + output,
  input_tokens: input,
  output_tokens: output,
  input_token_details: {
    text_tokens: input,
    audio_tokens: 0,
    image_tokens: 0,
    cached_tokens: 0,
    cached_tokens_details: { text_tokens: 0, audio_tokens: 0, image_tokens: 0 },
  },
  output_token_details: { text_tokens: output, audio_tokens: 0 },
})

export type OpenResponse = ReturnType<typeof openResponse>

/** Sends `response.created`. */
export const openResponse = (options: ResponseOptions) => {
  const { emit, items, modality, metadata, voice, format, hasTrack } = options
  const isSpoken = modality === 'audio'
  const id = newRealtimeId('resp')
  const output: RealtimeItem[] = []
  let message: { readonly id: string; transcript: string; audioMs: number } | undefined
  let isPlaying = false

  const resource = (status: string, details: object | null, usage: object | null) => ({
    id,
    object: 'realtime.response',
    status,
    status_details: details,
    output,
    conversation_id: null,
    output_modalities: [modality],
    max_output_tokens: 'inf',
    audio: { output: { format, voice } },
    usage,
    metadata,
  })

  const messageItem = (itemId: string, status: RealtimeItem['status'], transcript?: string): RealtimeItem => ({
    id: itemId,
    object: 'realtime.item',
    type: 'message',
    status,
    role: 'assistant',
    content:
      transcript === undefined
        ? []
        : [isSpoken ? { type: 'output_audio', transcript } : { type: 'output_text', text: transcript }],
  })

  const part = (itemId: string) => ({
    response_id: id,
    item_id: itemId,
    output_index: output.length,
    content_index: 0,
  })
  const contentOf = (transcript: string) =>
    isSpoken ? { type: 'audio', transcript } : { type: 'text', text: transcript }

  const beginMessage = () => {
    message = { id: newRealtimeId('item'), transcript: '', audioMs: 0 }
    const item = messageItem(message.id, 'in_progress')
    emit('response.output_item.added', { response_id: id, output_index: output.length, item })
    items.add(item)
    emit('response.content_part.added', { ...part(message.id), part: contentOf('') })
    return message
  }

  const endPlaying = (how: 'stopped' | 'cleared'): void => {
    if (!isPlaying) return
    isPlaying = false
    emit(`output_audio_buffer.${how}`, { response_id: id })
  }

  /** `played` is the transcript of a message that was cut off. */
  const endMessage = (played?: string): void => {
    if (message === undefined) return
    const { id: itemId, transcript: whole } = message
    const transcript = played ?? whole.trimEnd()
    const item = messageItem(itemId, played === undefined ? 'completed' : 'incomplete', transcript)
    if (isSpoken) {
      emit('response.output_audio.done', part(itemId))
      emit('response.output_audio_transcript.done', { ...part(itemId), transcript })
    } else emit('response.output_text.done', { ...part(itemId), text: transcript })
    emit('response.content_part.done', { ...part(itemId), part: contentOf(transcript) })
    emit('response.output_item.done', { response_id: id, output_index: output.length, item })
    items.done(item)
    output.push(item)
    message = undefined
  }

  emit('response.created', { response: resource('in_progress', null, null) })

  return {
    id,
    isSpoken,
    /** The message in progress, and how much of its audio was sent. */
    message: (): { readonly id: string; readonly audioMs: number } | undefined => message,
    say(text: string) {
      const { id: itemId, transcript } = message ?? beginMessage()
      const delta = transcript === '' ? text.trimStart() : text
      if (delta === '') return
      message!.transcript += delta
      const type = isSpoken ? 'response.output_audio_transcript.delta' : 'response.output_text.delta'
      emit(type, { ...part(itemId), delta })
    },
    audio(bytes: Uint8Array, durationMs: number) {
      const current = message ?? beginMessage()
      current.audioMs += durationMs
      if (!hasTrack) {
        const delta = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
        return emit('response.output_audio.delta', { ...part(current.id), delta })
      }
      if (isPlaying) return
      isPlaying = true
      emit('output_audio_buffer.started', { response_id: id })
    },
    call(callId: string, name: string, args: string) {
      endMessage()
      const itemId = newRealtimeId('item')
      const item = (status: RealtimeItem['status'], given: string): RealtimeItem => ({
        id: itemId,
        object: 'realtime.item',
        type: 'function_call',
        status,
        name,
        call_id: callId,
        arguments: given,
      })
      const where = { response_id: id, item_id: itemId, output_index: output.length }
      emit('response.output_item.added', {
        response_id: id,
        output_index: output.length,
        item: item('in_progress', ''),
      })
      items.add(item('in_progress', ''))
      emit('response.function_call_arguments.delta', { ...where, call_id: callId, delta: args })
      emit('response.function_call_arguments.done', { ...where, call_id: callId, name, arguments: args })
      const done = item('completed', args)
      emit('response.output_item.done', { response_id: id, output_index: output.length, item: done })
      items.done(done)
      output.push(done)
    },
    /** `played` is the transcript of the message in progress that was played, where it was cut off. */
    end(end: ResponseEnd, usage: ResponseUsage, played?: string) {
      const isCut = end.status !== 'completed'
      endPlaying(isCut ? 'cleared' : 'stopped')
      endMessage(isCut ? (played ?? '') : undefined)
      const { status, ...rest } = end
      const details = status === 'completed' ? null : { type: status, ...rest }
      emit('response.done', { response: resource(status, details, usageFields(usage)) })
    },
  }
}
