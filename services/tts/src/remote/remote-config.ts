import { decimalSchema } from '@parlance/contracts'
import type { SecretReference } from '@parlance/runtime'
import { z } from 'zod'
import type { EngineContext } from '../engine/engine.js'
import { listedLanguages } from './remote-voice.js'

/** The configuration that all speech servers share. The fields are spread into the schema of each engine. */

const ms = (fallback: number) => z.int().min(1).max(3_600_000).default(fallback)

const variantIdSchema = z.string().min(1).max(64)

/** A BCP 47 tag. */
export const languageSchema = z.string().refine((tag) => listedLanguages([tag]).length === 1, 'not a language tag')

export const remoteModelSchema = z.strictObject({
  /** The server's id. */
  id: z.string().min(1).max(200),
  /** The variant's id. Default: the model's id, which then has at most 64 characters. */
  variant: variantIdSchema.optional(),
  /** Default: the model's id. */
  display_name: z.string().min(1).optional(),
  /** The price of a thousand characters, a decimal string. */
  credit_per_1k_characters: decimalSchema,
})

/** Adds the default variant. */
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
  /** The server's id. */
  id: z.string().min(1).max(200),
  /** Default: the voice's id. */
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

/** `discover` requests them from the server. */
export const voicesSchema = z.union([z.literal('discover'), z.array(remoteVoiceSchema).min(1)])

/** A URL without credentials, which would be a secret in the configuration, and without a query, which would be lost. */
export const baseUrlSchema = (protocol: RegExp) =>
  z.url({ protocol, abort: true }).refine((url) => {
    const { username, password, search, hash } = new URL(url)
    return [username, password, search, hash].every((part) => part === '')
  }, 'only a scheme, a host and a path')

const timeoutsSchema = z
  .strictObject({
    connect_ms: ms(5000),
    /** The limit for the first audio, over all attempts. */
    first_audio_ms: ms(10_000),
    /** The limit between two pieces of audio. */
    idle_ms: ms(10_000),
    /** The limit for one attempt. */
    total_ms: ms(300_000),
  })
  .prefault({})

const healthSchema = z
  .strictObject({
    /** Failures in a row after which the engine is not used. */
    failures: z.int().min(1).max(100).default(5),
    /** The interval of probes of a healthy server. */
    probe_interval_ms: ms(30_000),
    /** The delay of the first probe after a failure, which doubles up to `max_retry_ms`. */
    first_retry_ms: ms(1000),
    max_retry_ms: ms(60_000),
  })
  .prefault({})

export const remoteEngineFields = {
  /** Utterances at the same time; others wait. At most the number that the account or the server allows. */
  concurrency: z.int().min(1).max(256).default(4),
  timeouts: timeoutsSchema,
  health: healthSchema,
  /** More audio than this for each character (at speed 1), above the first 30 seconds, is an error. */
  max_audio_ms_per_character: z.int().min(50).max(60_000).default(600),
}

export type RemoteModel = z.output<typeof remoteModelSchema> & { readonly variant: string }
export type RemoteEngineSettings = z.output<z.ZodObject<typeof remoteEngineFields>>

/**
 * Reads a secret that is sent in a header. White space around it is removed. Throws when it is empty or contains characters that
 * are not printable; the message does not contain the secret.
 */
export const secretForHeader = (reference: SecretReference, readSecret: EngineContext['readSecret']): string => {
  const secret = readSecret(reference).trim()
  if (!/^[\x21-\x7e]+$/.test(secret)) {
    const where = 'env' in reference ? reference.env : reference.file
    throw new Error(`the secret in ${where} is empty or contains characters that a key cannot have`)
  }
  return secret
}
