import {
  type ListenedPiece,
  listenedAudio,
  liveSessionsContract,
  ServiceError,
  sessionsContract,
} from '@parlance/contracts'
import type { Request } from 'express'
import { z } from 'zod'
import { actorOf } from '../../authentication/require-key.js'
import { watchMember } from '../../authentication/require-person.js'
import { hangUpSignal } from '../../http/connection-end.js'
import { apiHeaders } from '../../http/json-response.js'
import { withoutIdleLimit, writePart } from '../../http/streamed-body.js'
import { sessionAddressOf, sessionParameters } from '../path-parameters.js'
import { member, type Route } from '../route.js'
import { callInstance } from '../sessions/live-session.js'

/** A person who loses the role while listening receives no more audio after this time. */
const checkMemberEveryMs = 15_000

const contentType = 'application/x-ndjson'

const pieceOfAudio = z
  .object({
    at_ms: z.int().min(0).describe('The position of the first sample, in ms since the answer began.'),
    audio_base64: z.base64().describe('The samples.'),
  })
  .meta({ id: 'PieceOfAudio' })

const printPiece = ({ at_ms, data }: ListenedPiece): string => {
  const piece: z.infer<typeof pieceOfAudio> = { at_ms, audio_base64: Buffer.from(data).toString('base64') }
  return `${JSON.stringify(piece)}\n`
}

const headersOf = (req: Request): string[] => [
  ...apiHeaders(req.id, contentType, 'private, no-store'),
  ...['x-accel-buffering', 'no'],
]

export const listenToSession: Route = {
  method: 'post',
  path: '/dashboard/api/agent-sessions/:sessionId/listen',
  authentication: member('admin', 'agents'),
  operationId: 'listenToSession',
  tag: 'Sessions',
  summary: 'Listen to a live conversation',
  description:
    'Both sides from now on, until the conversation ends. The audit log has an entry `conversation.listened` before there is audio. ' +
    `The body has a line of JSON for each piece of ${listenedAudio.pieceMs} ms. The samples are 16-bit little-endian PCM at ` +
    `${listenedAudio.sampleRateHz} Hz with two interleaved channels, the user on the left, the Agent on the right. The first piece has ` +
    'no samples, and is sent at once. A client that reads too slowly loses pieces: positions have a gap there. One that reads ' +
    'nothing for 30 s is disconnected.',
  request: { params: sessionParameters },
  responses: { 200: { description: 'The audio.', content: { [contentType]: { schema: pieceOfAudio } } } },
  calls: [sessionsContract.methods.findInstance, liveSessionsContract.methods.listen],
  createHandler:
    ({ sessions, live, people, stopping }) =>
    async (req, res) => {
      const address = sessionAddressOf(req)
      const { context } = req
      const { instance_id: instance } = await sessions.findInstance(address, { context })
      // The abort event has already been emitted, so it would not end a response that begins now.
      if (stopping.aborted) throw new ServiceError('unavailable', 'This server is about to stop. Try again.')
      const pieces = live.listen({ ...address, actor: actorOf(req) }, { context, instance })
      const signal = hangUpSignal(res)
      const write = (piece: ListenedPiece) => {
        if (!res.headersSent) res.writeHead(200, headersOf(req))
        return writePart(res, printPiece(piece), signal)
      }
      // A complete body would mean that the conversation has ended.
      const cut = () => void res.destroy()
      const unwatch = watchMember(req, { people, role: 'admin', everyMs: checkMemberEveryMs, onLost: cut })
      stopping.addEventListener('abort', cut)
      try {
        await withoutIdleLimit(req.socket, () => callInstance(() => pieces(write, signal)))
      } finally {
        stopping.removeEventListener('abort', cut)
        unwatch()
      }
      res.end()
    },
}
