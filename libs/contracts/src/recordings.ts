import { z } from 'zod'
import { actorField } from './audit.js'
import { call, contract, stream } from './contract.js'
import { bytesSchema, idSchema, timestampSchema } from './primitives.js'

/** Whether and how the conversations of an Agent are recorded. */
export const recordingSettingsSchema = z.strictObject({
  enabled: z.boolean(),
  /** Only conversations with `recording_consent: true` in their metadata are recorded. */
  consent_required: z.boolean(),
  /** A recording is deleted this number of days after its end. */
  retention_days: z.int().min(1).max(3_650),
})
export type RecordingSettings = z.infer<typeof recordingSettingsSchema>

/** The settings of an Agent for which none were stored. */
export const defaultRecordingSettings: RecordingSettings = {
  enabled: false,
  consent_required: true,
  retention_days: 30,
}

/**
 * `recording` while the conversation is live. Only `stored` recordings have audio. `not_recorded` are conversations of an Agent
 * that is recorded, without consent or without audio.
 */
const recordingStates = ['recording', 'stored', 'failed', 'deleted', 'not_recorded'] as const

/** Where a message begins in the audio. */
const messagePositionSchema = z.object({ message_id: idSchema, start_ms: z.int().nonnegative() })
export type MessagePosition = z.infer<typeof messagePositionSchema>

/** The recording of a conversation: Opus in Ogg, the user on the left channel, the Agent on the right. */
export const recordingSchema = z.object({
  state: z.enum(recordingStates),
  started_at: timestampSchema,
  /** Null until it is stored, as are the size and the expiry. */
  duration_ms: z.int().nonnegative().nullable(),
  size_bytes: z.int().nonnegative().nullable(),
  expires_at: timestampSchema.nullable(),
  /** Why it failed, or why the conversation was not recorded, in one sentence. */
  failure: z.string().nullable(),
  /** In the order of the conversation. */
  positions: z.array(messagePositionSchema),
})
export type Recording = z.infer<typeof recordingSchema>

const sessionAddress = { workspace_id: idSchema, session_id: idSchema }
const agentAddress = { workspace_id: idSchema, agent_id: idSchema }

/** Recordings of conversations. Any instance answers: all use the same storage. */
export const recordingsContract = contract({
  name: 'recordings',
  version: '1.2.0',
  description: 'Recordings of conversations, and the settings of Agents for them',
  methods: {
    getSettings: call({
      request: z.strictObject(agentAddress),
      /** `available` is false where the installation has no storage for recordings. */
      reply: z.object({ settings: recordingSettingsSchema, available: z.boolean() }),
    }),
    /** For conversations that start from now on. `slug` is the Agent's, for the audit log. */
    putSettings: call({
      request: z.strictObject({
        ...agentAddress,
        settings: recordingSettingsSchema,
        slug: z.string().optional(),
        ...actorField,
      }),
      reply: z.object({ settings: recordingSettingsSchema, available: z.boolean() }),
    }),
    getRecording: call({
      request: z.strictObject(sessionAddress),
      /** Null for a conversation of an Agent that is not recorded. */
      reply: z.object({ recording: recordingSchema.nullable() }),
      errors: ['session_not_found'],
    }),
    /** The bytes from `start` to before `end`. */
    readRecording: stream({
      request: z.strictObject({ ...sessionAddress, start: z.int().nonnegative(), end: z.int().positive() }),
      chunk: z.object({ data: bytesSchema }),
      errors: ['not_found', 'upstream_error'],
    }),
    /** Deletes all recordings of an end user, those of one Agent when it is given, with one entry in the audit log. */
    deleteOfEndUser: call({
      request: z.strictObject({
        workspace_id: idSchema,
        end_user_id: idSchema,
        agent_id: idSchema.optional(),
        ...actorField,
      }),
      reply: z.object({}),
    }),
  },
})
