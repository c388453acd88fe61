import { type ListenedPiece, listenedAudio } from '@parlance/contracts'
import type { Request } from 'express'
import { watchMember } from '../../authentication/member-watch.js'
import { actorOf } from '../../authentication/require-key.js'
import { hangUpSignal } from '../../http/hang-up-signal.js'
import { withoutIdleLimit } from '../../http/idle-limit.js'
import { apiHeaders } from '../../http/json-response.js'
import { writePart } from '../../http/write-part.js'
import { memberErrors } from '../../openapi/error-codes.js'
import { sessionParameters } from '../../openapi/path-parameters.js'
import { audioBytes } from '../../openapi/speech-schemas.js'
import { sessionAddressOf } from '../agent-sessions/session-address.js'
import { member, type Route } from '../route.js'
import { callInstance } from '../sessions/live-session.js'

/** Someone who loses the role while listening gets no more audio after so long. */
const checkMemberEveryMs = 15_000

const contentType = 'application/octet-stream'

/** A piece in the body: `at_ms` and the number of bytes that follow, both 32-bit little-endian, then the samples. */
const printPiece = ({ at_ms, data }: ListenedPiece): Uint8Array => {
  const bytes = Buffer.allocUnsafe(8 + data.length)
  bytes.writeUInt32LE(at_ms, 0)
  bytes.writeUInt32LE(data.length, 4)
  bytes.set(data, 8)
  return bytes
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
    `The body is a row of pieces of ${listenedAudio.pieceMs} ms: their position in ms and the length of their samples in bytes, both ` +
    `32-bit little-endian, and the samples: 16-bit little-endian PCM at ${listenedAudio.sampleRateHz} Hz with two interleaved ` +
    'channels, the user on the left, the Agent on the right. The first piece has no samples, and is sent at once. A client that reads ' +
    'too slowly loses pieces: positions have a gap there. One that reads nothing for 30 s is cut.',
  request: { params: sessionParameters },
  responses: { 200: { description: 'The audio.', content: { [contentType]: audioBytes } } },
  errors: [
    ...memberErrors,
    'capability_disabled',
    'session_not_found',
    'session_ended',
    'concurrency_limited',
    'upstream_timeout',
  ],
  createHandler:
    ({ sessions, live, people, stopping }) =>
    async (req, res) => {
      const address = sessionAddressOf(req)
      const { context } = req
      const { instance_id: instance } = await sessions.findInstance(address, { context })
      const pieces = live.listen({ ...address, actor: actorOf(req) }, { context, instance })
      const signal = hangUpSignal(res)
      const write = (piece: ListenedPiece) => {
        if (!res.headersSent) res.writeHead(200, headersOf(req))
        return writePart(res, printPiece(piece), signal)
      }
      // A whole body would mean that the conversation has ended.
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
