import { decimalSchema, offeredVoiceSchema } from '@parlance/contracts'
import type { EngineVoice, Hello, SpeechMarks } from '@parlance/engine/protocol'
import { z } from 'zod'

/** The schemas of the messages of an engine process. */

const { id, languages, gender, created_at: createdAt, updated_at: updatedAt } = offeredVoiceSchema.shape

const variantSchema = z.object({
  id: z.string().min(1).max(64),
  displayName: z.string(),
  creditPer1kCharacters: decimalSchema,
})

const voiceSchema: z.ZodType<EngineVoice> = z.object({
  id,
  displayName: z.string().min(1),
  description: z.string(),
  languages,
  gender,
  tags: z.array(z.string()),
  license: z.string(),
  createdAt,
  updatedAt,
  variants: z.array(variantSchema).min(1),
})

export const helloSchema: z.ZodType<Hello> = z.object({
  engine: z.string().min(1),
  version: z.string(),
  info: z.record(z.string().regex(/^[a-z_]{1,32}$/), z.string().max(256)).optional(),
  warning: z.string().max(1000).optional(),
  sampleRateHz: z.int().min(8000).max(48000),
  voices: z.array(voiceSchema).min(1),
})

const timesMs = { startMs: z.number().nonnegative(), endMs: z.number().nonnegative() }

export const speechMarksSchema: z.ZodType<SpeechMarks> = z.object({
  words: z.array(
    z.object({
      text: z.string(),
      textStart: z.int().nonnegative(),
      textEnd: z.int().nonnegative(),
      ...timesMs,
    }),
  ),
  phonemes: z.array(z.object({ ipa: z.string(), ...timesMs })),
  estimated: z.boolean().optional(),
  pauseMs: z.number().nonnegative().optional(),
})
