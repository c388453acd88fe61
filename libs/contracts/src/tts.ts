import { z } from 'zod'
import { contract, stream } from './contract.js'
import { bytesSchema, idSchema } from './primitives.js'
import { alignmentKindSchema, alignmentSchema, audioOutputSchema } from './speech.js'
import { synthesisPacking } from './synthesis-packing.js'

const ascendWithin = (text: string, cuts: readonly number[]): boolean =>
  cuts.every((cut, index) => cut > (cuts[index - 1] ?? 0) && cut < text.length)

/**
 * What speech is wanted for, which decides how the request waits for an engine: a `reply` in a conversation, the
 * `continuation` of a text whose first audio has been sent, the first audio of a `stream`, or a text in `one_shot`.
 */
const speechPurposeSchema = z.enum(['reply', 'continuation', 'stream', 'one_shot'])
export type SpeechPurpose = z.infer<typeof speechPurposeSchema>

/**
 * The lane in which workers queue requests for an engine, which a worker leaves when its queue is full. The lane that has the engine's own name is answered only by
 * workers that can begin soon. An engine's name has no underscore, so no engine has a name like this.
 */
export const queueLaneOf = (engine: string): string => `${engine}_queue`

const requestFields = z.strictObject({
  /** Engines are shared out fairly among workspaces. */
  workspace_id: idSchema,
  text: z.string().min(1),
  /**
   * Where one segment of the text ends and the next begins: offsets in UTF-16 units, each beyond the one before; none for one
   * segment.
   */
  cuts: z.array(z.int().positive()).default([]),
  /** A voice id, or a display name in any case. */
  voice: z.string().min(1).max(200),
  /** Null takes the voice's first variant. */
  variant: z.string().nullable(),
  /** A BCP 47 tag the voice must speak, or null for its main language. */
  language: z.string().nullable(),
  output: audioOutputSchema,
  /** 0.5 to 2, 1 is the voice's own pace. */
  speed: z.number().min(0.5).max(2),
  /** 0 to 2, 1 is the voice's own loudness. */
  volume: z.number().min(0).max(2),
  alignment: z.array(alignmentKindSchema),
  /** The text is meant for one person, so its audio is not cached unless the operator has enabled that. */
  private: z.boolean().default(false),
  /** Default: `one_shot`. */
  purpose: speechPurposeSchema.optional(),
  /** Audio of the text before that the listener has in hand, in ms. Default 0. */
  ahead_ms: z.number().nonnegative().optional(),
  /** How many engine processes or workers were lost with the first segment of this text. Default 0. */
  ended_processes: z.int().nonnegative().optional(),
})

/** A request that has been checked: defaults filled in, output complete. */
export const synthesisRequestSchema = requestFields.refine(({ text, cuts }) => ascendWithin(text, cuts), {
  path: ['cuts'],
  error: 'must ascend within the text',
})
export type SynthesisRequest = z.infer<typeof synthesisRequestSchema>

/**
 * The chunks of a synthesis, in this order: `started` when the first audio was produced, then for each segment its `audio`, its
 * `alignment` if requested and `segment`, then `done`. Times are ms on the audio's clock.
 */
export const synthesisChunkSchema = z.discriminatedUnion('event', [
  z.object({
    event: z.literal('started'),
    output: audioOutputSchema,
    /** ms spent waiting for an engine, and ms from there to the first audio. */
    queue_ms: z.number().nonnegative(),
    ttfa_ms: z.number().nonnegative(),
  }),
  z.object({
    event: z.literal('audio'),
    seq: z.int().nonnegative(),
    segment: z.int().nonnegative(),
    start_ms: z.number().nonnegative(),
    duration_ms: z.number().nonnegative(),
    data: bytesSchema,
  }),
  z.object({
    event: z.literal('alignment'),
    segment: z.int().nonnegative(),
    ...alignmentSchema.shape,
  }),
  /** The segment is complete: it is billed even if the rest never arrives. */
  z.object({
    event: z.literal('segment'),
    segment: z.int().nonnegative(),
    /** Code points of the text it spoke. */
    characters: z.int().nonnegative(),
    /**
     * The pause after the segment that its punctuation requires if another follows, in ms; absent without one. The audio of a
     * segment ends with it, but for that of the last of a synthesis.
     */
    pause_ms: z.number().nonnegative().optional(),
  }),
  z.object({
    event: z.literal('done'),
    audio_duration_ms: z.number().nonnegative(),
    characters_billed: z.int().nonnegative(),
    ttfa_ms: z.number().nonnegative(),
  }),
])
export type SynthesisChunk = z.infer<typeof synthesisChunkSchema>

export const ttsContract = contract({
  name: 'tts',
  version: '1.1.0',
  description: 'Turns text into speech',
  isAddressed: true,
  methods: {
    synthesize: stream({
      request: synthesisRequestSchema,
      chunk: synthesisChunkSchema,
      packing: synthesisPacking,
      errors: [
        'invalid_request',
        'unsupported_format',
        'voice_not_found',
        'capacity_exhausted',
        'upstream_error',
        'upstream_timeout',
        'draining',
      ],
    }),
  },
})
