import { z } from 'zod'

/** The fifteen mouth shapes of the Oculus set, in their usual order. */
export const visemeIds = [
  'sil',
  'PP',
  'FF',
  'TH',
  'DD',
  'kk',
  'CH',
  'SS',
  'nn',
  'RR',
  'aa',
  'E',
  'I',
  'O',
  'U',
] as const
const visemeIdSchema = z.enum(visemeIds)
export type VisemeId = z.infer<typeof visemeIdSchema>

/** Allowed sample rates in Hz by format; the first is the default. */
export const sampleRatesHz = {
  mp3: [24000, 22050, 44100],
  wav: [24000, 8000, 16000, 22050, 44100, 48000],
  pcm_s16le: [24000, 8000, 16000, 22050, 44100, 48000],
  opus: [48000],
  flac: [24000, 8000, 16000, 22050, 44100, 48000],
  ulaw: [8000],
  alaw: [8000],
} as const satisfies Record<string, readonly number[]>

/** Encodings of audio, all mono. */
export const audioFormats = ['mp3', 'wav', 'pcm_s16le', 'opus', 'flac', 'ulaw', 'alaw'] as const
export const audioFormatSchema = z.enum(audioFormats)
export type AudioFormat = z.infer<typeof audioFormatSchema>

/** Bit rates in bits per second of the two formats that have one. */
export const bitRateLimits = {
  mp3: { min: 32000, max: 160000, default: 64000 },
  opus: { min: 6000, max: 128000, default: 32000 },
} as const

/** A complete description of encoded mono audio; `bit_rate` (bits per second) is null where the format has none. */
export const audioOutputSchema = z.object({
  format: audioFormatSchema,
  sample_rate: z.int().positive(),
  bit_rate: z.int().positive().nullable(),
})
export type AudioOutput = z.infer<typeof audioOutputSchema>

/** Times in ms on the clock of the audio, from its first sample. */
export const timedTextSchema = z.object({
  text: z.string(),
  start_ms: z.number().nonnegative(),
  end_ms: z.number().nonnegative(),
})
export type TimedText = z.infer<typeof timedTextSchema>

export const timedVisemeSchema = z.object({
  id: visemeIdSchema,
  start_ms: z.number().nonnegative(),
  end_ms: z.number().nonnegative(),
})
export type TimedViseme = z.infer<typeof timedVisemeSchema>

/** The kinds of times that can be requested. */
const alignmentKinds = ['word', 'phoneme', 'viseme'] as const
export const alignmentKindSchema = z.enum(alignmentKinds)
export type AlignmentKind = z.infer<typeof alignmentKindSchema>

export const alignmentSchema = z.object({
  words: z.array(timedTextSchema),
  phonemes: z.array(timedTextSchema),
  visemes: z.array(timedVisemeSchema),
})
export type Alignment = z.infer<typeof alignmentSchema>
