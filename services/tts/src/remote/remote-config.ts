import { decimalSchema } from '@parlance/contracts'
import { z } from 'zod'
import { listedLanguages } from './listed-languages.js'

/** What the configurations of all servers elsewhere have in common. Fields are spread into each engine's own schema. */

const ms = (fallback: number) => z.int().min(1).max(3_600_000).default(fallback)

const variantIdSchema = z.string().min(1).max(64)

/** A BCP 47 tag. */
export const languageSchema = z.string().refine((tag) => listedLanguages([tag]).length === 1, 'not a language tag')

export const remoteModelSchema = z.strictObject({
  /** As the server knows it. */
  id: z.string().min(1).max(200),
  /** The variant of the voices that it becomes. The model's own id if not given, which then must be short enough. */
  variant: variantIdSchema.optional(),
  /** The model's id if not given. */
  display_name: z.string().min(1).optional(),
  /** What a thousand characters cost, as a decimal string. */
  credit_per_1k_characters: decimalSchema,
})

/** Whole models: each with the variant it becomes. */
const withVariant = <Model extends z.output<typeof remoteModelSchema>>(model: Model) => ({
  ...model,
  variant: model.variant ?? model.id,
})

export const modelsSchema = <Model extends z.output<typeof remoteModelSchema>>(model: z.ZodType<Model>) =>
  z
    .array(model)
    .min(1)
    .transform((models) => models.map(withVariant))
    .refine((models) => models.every(({ variant }) => variant.length <= 64), {
      message: 'a model with an id of more than 64 characters needs a variant',
    })
    .refine((models) => new Set(models.map(({ variant }) => variant)).size === models.length, {
      message: 'two models become the same variant',
    })

export const remoteVoiceSchema = z.strictObject({
  /** As the server knows it. */
  id: z.string().min(1).max(200),
  /** The voice's id if not given. */
  display_name: z.string().min(1).optional(),
  description: z.string().default(''),
  /** BCP 47 tags, the main one first. */
  languages: z
    .array(languageSchema)
    .min(1)
    .transform((tags) => listedLanguages(tags)),
  gender: z.enum(['female', 'male', 'neutral']).default('neutral'),
  tags: z.array(z.string()).default([]),
  license: z.string().default('proprietary'),
})

/** `discover` asks the server. */
export const voicesSchema = z.union([z.literal('discover'), z.array(remoteVoiceSchema).min(1)])

/** Without credentials, which would be a secret in the configuration, and without a query, which would be lost. */
export const baseUrlSchema = (protocol: RegExp) =>
  z.url({ protocol, abort: true }).refine((url) => {
    const { username, password, search, hash } = new URL(url)
    return [username, password, search, hash].every((part) => part === '')
  }, 'only a scheme, a host and a path')

export const timeoutsSchema = z
  .strictObject({
    connect_ms: ms(5000),
    /** Until the first audio, over all attempts. */
    first_audio_ms: ms(10_000),
    /** From each piece of audio to the next. */
    idle_ms: ms(10_000),
    /** Of one attempt, from its beginning to its end. */
    total_ms: ms(300_000),
  })
  .prefault({})

export const healthSchema = z
  .strictObject({
    /** Failures in a row after which the engine is not asked any more. */
    failures: z.int().min(1).max(100).default(5),
    /** How often the server is asked whether it is there while all is well. */
    probe_interval_ms: ms(30_000),
    /** How soon it is asked again when it was not, and how long at most once that has doubled often enough. */
    first_retry_ms: ms(1000),
    max_retry_ms: ms(60_000),
  })
  .prefault({})

export const remoteEngineFields = {
  /** Utterances at the same time; more wait. Not more than the account or the server allows. */
  concurrency: z.int().min(1).max(256).default(4),
  timeouts: timeoutsSchema,
  health: healthSchema,
  /** More audio than this for each character (of text at its usual speed), above the first 30 seconds, is taken for a fault. */
  max_audio_ms_per_character: z.int().min(50).max(60_000).default(600),
}

export type RemoteModel = z.output<typeof remoteModelSchema> & { readonly variant: string }
export type RemoteTimeouts = z.output<typeof timeoutsSchema>
export type RemoteEngineSettings = z.output<z.ZodObject<typeof remoteEngineFields>>
