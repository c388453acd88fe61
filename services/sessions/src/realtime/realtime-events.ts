/** The forms of what is sent in OpenAI's Realtime protocol, and the items of a conversation. */
import { type RealtimeItem, type RealtimeSession, ServiceError, toServiceError } from '@parlance/contracts'

/** Sends an event of the server, with an id of its own. */
export type Emit = (type: string, fields: object) => void

export const invalid = (detail: string): ServiceError => new ServiceError('invalid_request', detail)

/** A refusal with a code of the protocol, which is none of ours. */
export class ProtocolError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message)
  }
}

/** `eventId` is that of the client's event that caused the error. */
export const errorFields = (error: unknown, eventId: string | null): object => {
  if (error instanceof ProtocolError) {
    const { code, message } = error
    return { error: { type: 'invalid_request_error', code, message, param: null, event_id: eventId } }
  }
  const { code, detail, status } = toServiceError(error)
  const [, param = null] = /^([a-z_]+(?:[.[][\w.\]]*)?): /.exec(detail) ?? []
  const type = status >= 500 ? 'server_error' : 'invalid_request_error'
  return { error: { type, code, message: detail, param, event_id: eventId } }
}

export type RealtimeItems = ReturnType<typeof createRealtimeItems>

const maxItems = 2_000

/** The items of a conversation, in their order. The oldest are dropped beyond a limit. */
export const createRealtimeItems = (emit: Emit) => {
  const items = new Map<string, { item: RealtimeItem; readonly previousId: string | null }>()
  let lastId: string | null = null
  /** Without an event. */
  const replace = (item: RealtimeItem): void => {
    const known = items.get(item.id)
    if (known !== undefined) known.item = item
  }
  return {
    get: (id: string): RealtimeItem | undefined => items.get(id)?.item,
    isEmpty: () => items.size === 0,
    lastId: () => lastId,
    add(item: RealtimeItem) {
      emit('conversation.item.added', { previous_item_id: lastId, item })
      items.set(item.id, { item, previousId: lastId })
      lastId = item.id
      if (items.size > maxItems) items.delete(items.keys().next().value!)
    },
    replace,
    done(item: RealtimeItem) {
      replace(item)
      emit('conversation.item.done', { previous_item_id: items.get(item.id)?.previousId ?? null, item })
    },
    delete(id: string) {
      items.delete(id)
      emit('conversation.item.deleted', { item_id: id })
    },
  }
}

/** The session as it is sent. Of an Agent's own prompt and tools nothing is sent. */
export const sessionResource = (
  session: RealtimeSession,
  of: {
    readonly id: string
    readonly agentId: string
    readonly voice: string
    readonly language: string
    readonly speed: number
    /** In seconds since 1970. */
    readonly expiresAt: number
  },
): object => {
  const { input, output } = session.audio ?? {}
  const pcm = { type: 'audio/pcm', rate: 24_000 }
  return {
    type: 'realtime',
    object: 'realtime.session',
    id: of.id,
    model: of.agentId,
    expires_at: of.expiresAt,
    output_modalities: session.output_modalities ?? ['audio'],
    instructions: session.instructions ?? '',
    tools: session.tools ?? [],
    tool_choice: 'auto',
    max_output_tokens: 'inf',
    tracing: null,
    truncation: 'auto',
    prompt: null,
    include: null,
    audio: {
      input: {
        format: input?.format ?? pcm,
        transcription: input?.transcription === null ? null : { language: of.language },
        noise_reduction: null,
        turn_detection:
          input?.turn_detection === null
            ? null
            : {
                ...{ create_response: true, interrupt_response: true },
                ...(input?.turn_detection ?? { type: 'semantic_vad', eagerness: 'auto' }),
              },
      },
      output: { format: output?.format ?? pcm, voice: output?.voice ?? of.voice, speed: of.speed },
    },
  }
}
