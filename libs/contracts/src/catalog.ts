import { z } from 'zod'
import { call, contract, event } from './contract.js'
import { languageTagSchema } from './language.js'
import { decimalSchema, idSchema, pageRequestSchema, timestampSchema, voiceIdSchema } from './primitives.js'
import { alignmentKindSchema, audioFormatSchema } from './speech.js'

const voiceVariantSchema = z.object({
  id: z.string().min(1).max(64),
  display_name: z.string(),
  sample_rates: z.array(z.int().positive()),
  formats: z.array(audioFormatSchema),
  streaming: z.boolean(),
  alignment: z.array(alignmentKindSchema),
  credit_per_1k_characters: decimalSchema,
})

export const voiceSchema = z.object({
  id: voiceIdSchema,
  display_name: z.string(),
  description: z.string(),
  /** BCP 47 tags, the main one first. */
  languages: z.array(z.string()).min(1),
  gender: z.enum(['female', 'male', 'neutral']),
  tags: z.array(z.string()),
  status: z.enum(['available', 'unavailable']),
  preview_url: z.string().nullable(),
  license: z.string(),
  variants: z.array(voiceVariantSchema).min(1),
  created_at: timestampSchema,
  updated_at: timestampSchema,
})
export type Voice = z.infer<typeof voiceSchema>

/** A voice as an engine offers it. The catalog adds that it is available. */
export const offeredVoiceSchema = voiceSchema.omit({ status: true })
export type OfferedVoice = z.infer<typeof offeredVoiceSchema>

/** Lower-case letters, digits and hyphens: it is also the lane of the bus in which the engine is called. */
export const engineNameSchema = z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/)

/**
 * How an engine produces speech, the most natural first; the catalog lists voices in this order. `recorded` engines build
 * speech from recordings of a speaker, `formant` engines compute it from rules.
 */
export const synthesisMethods = ['neural', 'recorded', 'formant'] as const
const synthesisMethodSchema = z.enum(synthesisMethods)
export type SynthesisMethod = z.infer<typeof synthesisMethodSchema>

/** An engine that currently offers voices. */
export const offeringEngineSchema = z.object({
  name: engineNameSchema,
  synthesis: synthesisMethodSchema,
  /** The workers that run it. */
  workers: z.int().positive(),
  voices: z.int().positive(),
})
export type OfferingEngine = z.infer<typeof offeringEngineSchema>

/** The tag of a voice that is spoken slower than real time where it is offered. The catalog lists such voices last. */
export const slowVoiceTag = 'slow'

/** Whether speech of the voice has gaps where it is offered. */
export const isSlowVoice = ({ tags }: Pick<Voice, 'tags'>): boolean => tags.includes(slowVoiceTag)

/** A voice as services know it, with the engine of each variant, which the API does not show. */
const routedVoiceSchema = voiceSchema.extend({
  variants: z.array(voiceVariantSchema.extend({ engine: engineNameSchema })).min(1),
})
export type RoutedVoice = z.infer<typeof routedVoiceSchema>

export const avatarSchema = z.object({
  id: idSchema,
  display_name: z.string(),
  status: z.enum(['available', 'unavailable']),
  thumbnail_url: z.string(),
  license: z.string(),
  asset: z.object({
    url: z.string(),
    format: z.literal('glb'),
    content_type: z.literal('model/gltf-binary'),
    size_bytes: z.int().positive(),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
  }),
  viseme_set: z.literal('oculus15'),
  viseme_morph_targets: z.record(z.string(), z.string()),
  expression_morph_targets: z.record(z.string(), z.string()),
})
export type Avatar = z.infer<typeof avatarSchema>

export const voicePageSchema = z.object({ voices: z.array(voiceSchema), next_cursor: z.string().nullable() })
export const avatarPageSchema = z.object({ avatars: z.array(avatarSchema), next_cursor: z.string().nullable() })

export const catalogContract = contract({
  name: 'catalog',
  version: '1.2.0',
  description: 'Voices and avatars that can be used now',
  methods: {
    /**
     * The best first; with `language`, only those that speak it; with `synthesis`, only those whose best engine uses that
     * method.
     */
    listVoices: call({
      request: pageRequestSchema.extend({
        language: languageTagSchema.optional(),
        synthesis: synthesisMethodSchema.optional(),
      }),
      reply: voicePageSchema,
      errors: ['invalid_request'],
    }),
    listAvatars: call({ request: pageRequestSchema, reply: avatarPageSchema, errors: ['invalid_request'] }),
    /** By id, by display name in any case, or by OpenAI's name of a voice, such as `alloy`. */
    findVoice: call({
      request: z.strictObject({ voice: z.string().min(1).max(200) }),
      reply: routedVoiceSchema,
      errors: ['voice_not_found'],
    }),
    /** The engines whose voices are on offer, by name. */
    listEngines: call({ request: z.strictObject({}), reply: z.object({ engines: z.array(offeringEngineSchema) }) }),
    findAvatar: call({
      request: z.strictObject({ avatar_id: z.string().min(1).max(200) }),
      reply: avatarSchema,
      errors: ['avatar_not_found'],
    }),
    /**
     * A worker announces what one of its engines can speak now; repeated every few seconds, empty when it no longer can. An
     * offer that exceeds one message is sent in parts, which are independent of each other.
     */
    voicesOffered: event({
      payload: z.object({
        instance_id: z.string(),
        engine: engineNameSchema,
        part: z.int().nonnegative(),
        /** Absent from workers of earlier versions. */
        synthesis: synthesisMethodSchema.default('formant'),
        voices: z.array(offeredVoiceSchema),
      }),
    }),
    /** Sent by a catalog that has just started: workers announce their voices at once. */
    voicesWanted: event({ payload: z.object({}) }),
  },
})
