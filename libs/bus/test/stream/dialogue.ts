import { bytesSchema, contract, duplex } from '@parlance/contracts'
import { z } from 'zod'
import { createClient, type DuplexCall, type DuplexPeer, type HandlerContext, serve } from '../../src/index.js'
import type { BusPair } from '../buses.js'
import { newInstanceId } from '../buses.js'

const chunkSchema = z.object({ n: z.int(), data: bytesSchema.optional() })
export type Chunk = z.infer<typeof chunkSchema>

/** A service with one bidirectional stream. */
export const dialogue = contract({
  name: 'dialogue',
  version: '1.0.0',
  description: 'For tests',
  methods: {
    talk: duplex({
      request: z.strictObject({ topic: z.string().min(1) }),
      input: chunkSchema,
      output: chunkSchema,
      errors: ['not_found'],
    }),
  },
})

export const talkSubject = 'parlance.dialogue.talk'

export type Peer = DuplexPeer<Chunk, Chunk>
type Talk = (peer: Peer, context: HandlerContext<'not_found'>) => Promise<void>

export const serveDialogue = ({ callee }: BusPair, talk: Talk) =>
  serve(callee, dialogue, { talk: (_request, context, peer) => talk(peer, context) }, { instanceId: newInstanceId() })

/** A call whose received chunks are in `received`. */
export const callDialogue = (
  { caller }: BusPair,
  take: (chunk: Chunk) => void | Promise<void> = () => undefined,
  topic = 'any',
): DuplexCall<Chunk> & { readonly received: Chunk[] } => {
  const received: Chunk[] = []
  const call = createClient(caller, dialogue).talk({ topic }, (chunk) => {
    received.push(chunk)
    return take(chunk)
  })
  // The rejection must not fail a test that awaits something else.
  call.ended.catch(() => undefined)
  return { ...call, received }
}

export const numbered = (count: number): Chunk[] => Array.from({ length: count }, (_, n) => ({ n }))
