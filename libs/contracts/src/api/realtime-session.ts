/** The session of OpenAI's Realtime protocol: what a client may set of a conversation with an Agent. */
import { z } from 'zod'
import { languageTagSchema } from '../language.js'
import { ServiceError } from '../service-error.js'
import type { SessionOverrides } from './session-request.js'

/** Where clients converse, or have their speech recognized. */
export const realtimePath = '/v1/realtime'
/** The subprotocol of the WebSocket. A browser offers its client secret beside it, after `realtimeSecretProtocolPrefix`. */
export const realtimeProtocol = 'realtime'
export const realtimeSecretProtocolPrefix = 'openai-insecure-api-key.'
/** The label of the data channel, which the client opens. */
export const realtimeChannelLabel = 'oai-events'

/** How much a client may send. */
export const realtimeLimits = {
  /** The maximum size of an event, in bytes of UTF-8. Audio over a WebSocket may be longer. */
  message_bytes: 256 * 1024,
  /** Over a WebSocket: an event with audio. */
  audio_message_bytes: 16 * 1024 * 1024,
  messages_per_second: 250,
} as const

const audioFormatSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('audio/pcm'), rate: z.literal(24_000).default(24_000) }),
  z.strictObject({ type: z.literal('audio/pcmu') }),
  z.strictObject({ type: z.literal('audio/pcma') }),
])
export type RealtimeAudioFormat = z.output<typeof audioFormatSchema>

const turnDetectionSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('server_vad'),
    create_response: z.boolean().optional(),
    interrupt_response: z.boolean().optional(),
    idle_timeout_ms: z.number().nullish(),
    prefix_padding_ms: z.number().optional(),
    silence_duration_ms: z.number().optional(),
    threshold: z.number().optional(),
  }),
  z.strictObject({
    type: z.literal('semantic_vad'),
    create_response: z.boolean().optional(),
    interrupt_response: z.boolean().optional(),
    eagerness: z.enum(['low', 'medium', 'high', 'auto']).optional(),
  }),
])

const voiceSchema = z.string().min(1).max(200)

const realtimeToolSchema = z.strictObject({
  type: z.literal('function', { error: 'must be "function": other tools are those of the Agent' }),
  name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
  description: z.string().max(1_024).default(''),
  parameters: z.record(z.string(), z.unknown()).default({}),
})
export type RealtimeTool = z.output<typeof realtimeToolSchema>

const ignored = z.unknown().optional()
const transcriptionFields = { delay: ignored, keywords: ignored, languages: ignored, prompt: ignored }

const turnDetection = turnDetectionSchema.nullish()

/** What the server sends, and clients send back. */
const sentBack = { id: ignored, object: ignored, expires_at: ignored }

export const realtimeModalitiesSchema = z.tuple([z.enum(['audio', 'text'], { error: 'must be ["audio"] or ["text"]' })])

/** What clients send of a session. Fields that are `ignored` are accepted and have no effect. */
export const realtimeSessionSchema = z.strictObject({
  type: z
    .literal('realtime', { error: 'must be "realtime": connect with ?intent=transcription to recognize speech alone' })
    .default('realtime'),
  model: z.string().max(200).optional().meta({ description: 'The id of the Agent.' }),
  instructions: z.string().max(32_768).optional().meta({
    description: 'In place of the system prompt, where the Agent allows it in `session_config.overrides`.',
  }),
  output_modalities: realtimeModalitiesSchema.optional(),
  audio: z
    .strictObject({
      input: z
        .strictObject({
          format: audioFormatSchema.optional(),
          transcription: z
            .strictObject({ ...transcriptionFields, model: ignored, language: ignored })
            .nullish()
            .meta({ description: 'Null for no events with the transcript of the user.' }),
          noise_reduction: ignored,
          turn_detection: turnDetection.meta({
            description: 'Null where the client commits the audio and creates the responses.',
          }),
        })
        .optional(),
      output: z
        .strictObject({
          format: audioFormatSchema.optional(),
          voice: z
            .union([voiceSchema, z.strictObject({ id: voiceSchema }).transform(({ id }) => id)])
            .optional()
            .meta({
              description: 'A voice of `GET /v1/voices`, where the Agent allows it in `session_config.overrides`.',
            }),
          speed: z.number().optional(),
        })
        .optional(),
    })
    .optional(),
  tools: z.array(realtimeToolSchema).max(50).optional(),
  tool_choice: z.literal('auto', { error: 'must be "auto"' }).optional(),
  max_output_tokens: ignored,
  parallel_tool_calls: ignored,
  reasoning: ignored,
  tracing: ignored,
  truncation: ignored,
  include: ignored,
  prompt: z.null({ error: 'is not available: use instructions' }).optional(),
  ...sentBack,
})
export type RealtimeSession = z.output<typeof realtimeSessionSchema>

/** A session that recognizes speech and has no Agent. */
export const realtimeTranscriptionSessionSchema = z.strictObject({
  type: z.literal('transcription', {
    error: 'must be "transcription": connect with the id of an Agent as the model to converse',
  }),
  audio: z
    .strictObject({
      input: z
        .strictObject({
          format: audioFormatSchema.optional(),
          transcription: z
            .strictObject({
              ...transcriptionFields,
              model: z.string().min(1).max(200).optional().meta({
                description: "A model of `GET /v1/models`. OpenAI's names stand for the best of the language.",
              }),
              language: languageTagSchema.optional(),
            })
            .nullish(),
          noise_reduction: ignored,
          turn_detection: turnDetection.meta({ description: 'Null where the client commits the audio.' }),
        })
        .optional(),
    })
    .optional(),
  include: ignored,
  ...sentBack,
})
export type RealtimeTranscriptionSession = z.output<typeof realtimeTranscriptionSessionSchema>

/** A session without its Agent's id. */
export const newRealtimeSession: RealtimeSession = { type: 'realtime' }

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const merge = (into: Record<string, unknown>, from: Record<string, unknown>): Record<string, unknown> => {
  const merged = { ...into }
  for (const [name, value] of Object.entries(from)) {
    const before = merged[name]
    // An object of another kind, such as another kind of turn detection, replaces the one before.
    const isOther = isObject(before) && isObject(value) && value.type !== undefined && before.type !== value.type
    if (value === undefined) continue
    merged[name] = isObject(before) && isObject(value) && !isOther ? merge(before, value) : value
  }
  return merged
}

/** The session with an update: objects are merged, all other values replaced. */
export const mergeRealtimeSession = <Session extends RealtimeSession | RealtimeTranscriptionSession>(
  session: Session,
  update: Session,
): Session => merge(session, update) as Session

const neutral: Readonly<Record<string, readonly unknown[]>> = {
  'audio.output.speed': [1],
  max_output_tokens: ['inf'],
  truncation: ['auto'],
}

/** The fields of a session that have no effect, by their paths. Values that ask for nothing are not among them. */
export const ignoredOfRealtimeSession = (given: RealtimeSession | RealtimeTranscriptionSession): string[] => {
  const isConversation = given.type === 'realtime'
  const session: Partial<RealtimeSession> = isConversation ? given : {}
  const { max_output_tokens, parallel_tool_calls, reasoning, tracing, truncation } = session
  const { include } = given
  const { noise_reduction, turn_detection, transcription } = given.audio?.input ?? {}
  const { model, language, ...wishes } = transcription ?? {}
  const { type: _, create_response, interrupt_response, ...detection } = turn_detection ?? {}
  const under = (path: string, values: object) =>
    Object.entries(values).map(([name, value]) => [`${path}.${name}`, value] as const)
  const candidates = [
    ...Object.entries({ max_output_tokens, parallel_tool_calls, reasoning, tracing, truncation, include }),
    ...under('audio.input.transcription', isConversation ? { model, language, ...wishes } : wishes),
    ...under('audio.input', { noise_reduction }),
    ...under('audio.input.turn_detection', detection),
    ...under('audio.input.turn_detection', isConversation ? {} : { create_response, interrupt_response }),
    ...under('audio.output', { speed: session.audio?.output?.speed }),
  ]
  return candidates.flatMap(([path, value]) =>
    value === undefined || value === null || neutral[path]?.includes(value) ? [] : [path],
  )
}

/** Throws `invalid_request` for what cannot be done. `agentId` is that of the conversation. */
export const checkRealtimeSession = (session: RealtimeSession, agentId: string): void => {
  if (session.model !== undefined && session.model.toLowerCase() !== agentId.toLowerCase()) {
    throw new ServiceError('invalid_request', 'session.model: cannot be changed: it is the Agent of the conversation')
  }
}

/** What a session has in place of the Agent's own. Empty instructions are those of the Agent. */
export const overridesOfRealtimeSession = ({ instructions, audio }: RealtimeSession): SessionOverrides => ({
  ...(instructions !== undefined && instructions.trim() !== '' && { system_prompt: instructions }),
  ...(audio?.output?.voice !== undefined && { voice_id: audio.output.voice }),
})
