import { z } from 'zod'

/** What happens during the installation of a model, in this order: its licences, its downloads, its measurement, its end. */
export const installEventSchema = z.discriminatedUnion('event', [
  /** A licence that the request has accepted. */
  z.object({
    event: z.literal('license'),
    model: z.string(),
    license: z.string(),
    /** Where it is stated. */
    source: z.string(),
    /** What the model was made from, where that is known. */
    lineage: z.string().nullable(),
  }),
  z.object({
    event: z.literal('progress'),
    file: z.string(),
    received_bytes: z.int().nonnegative(),
    /** Null where the server does not send it. */
    total_bytes: z.int().nonnegative().nullable(),
  }),
  /** It is measured how fast the model speaks on this machine. */
  z.object({ event: z.literal('measuring'), model: z.string() }),
  z.object({
    event: z.literal('installed'),
    name: z.string(),
    license: z.string(),
    /** Of all that was downloaded. */
    size_bytes: z.int().nonnegative(),
  }),
])
export type InstallEvent = z.infer<typeof installEventSchema>
