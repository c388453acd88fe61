import { recordingsContract, ServiceError } from '@parlance/contracts'
import type { Request } from 'express'
import { z } from 'zod'
import { hangUpSignal } from '../../http/connection-end.js'
import { apiHeaders } from '../../http/json-response.js'
import { withoutIdleLimit, writePart } from '../../http/streamed-body.js'
import { audioBytes } from '../../openapi/speech-schemas.js'
import { sessionAddressOf, sessionParameters } from '../path-parameters.js'
import { member, type Route } from '../route.js'

const contentType = 'audio/ogg'
const content = { [contentType]: audioBytes }
const contentRange = z.string().meta({ example: 'bytes 0-99/912345' })

/** The maximum time to the first bytes from the storage. */
const firstBytesMs = 15_000

interface Part {
  readonly start: number
  /** Exclusive. */
  readonly end: number
  readonly isWhole: boolean
}

/** The requested range. A request for several ranges gets the whole file. Throws `range_not_satisfiable`. */
const partOf = (req: Request, sizeBytes: number): Part => {
  const ranges = req.range(sizeBytes)
  if (ranges === -1) throw new ServiceError('range_not_satisfiable', `range: the recording has ${sizeBytes} bytes.`)
  const range = Array.isArray(ranges) && ranges.type === 'bytes' && ranges.length === 1 ? ranges[0] : undefined
  return range === undefined
    ? { start: 0, end: sizeBytes, isWhole: true }
    : { start: range.start, end: range.end + 1, isWhole: false }
}

export const getRecordingAudio: Route = {
  method: 'get',
  path: '/dashboard/api/agent-sessions/:sessionId/recording/audio',
  authentication: member('member', 'agents'),
  operationId: 'getRecordingAudio',
  tag: 'Sessions',
  summary: 'Get the audio of the recording of a conversation',
  description:
    'Opus in Ogg with two channels: the user on the left, the Agent on the right. `Range` is supported. A conversation without ' +
    'a stored recording is `not_found`.',
  request: { params: sessionParameters },
  responses: {
    200: { description: 'The whole recording.', content },
    206: { description: 'The requested part.', headers: { 'content-range': contentRange }, content },
  },
  calls: [recordingsContract.methods.getRecording, recordingsContract.methods.readRecording],
  errors: ['range_not_satisfiable'],

  createHandler:
    ({ recordings }) =>
    async (req, res) => {
      const address = sessionAddressOf(req)
      const { recording } = await recordings.getRecording(address, { context: req.context })
      if (recording?.state !== 'stored') throw new ServiceError('not_found', 'There is no recording of this session.')
      const sizeBytes = recording.size_bytes!
      const { start, end, isWhole } = partOf(req, sizeBytes)

      const headers = apiHeaders(req.id, contentType, 'private, no-store')
      headers.push('accept-ranges', 'bytes', 'content-length', String(end - start))
      headers.push('content-disposition', `attachment; filename="conversation-${address.session_id}.ogg"`)
      if (!isWhole) headers.push('content-range', `bytes ${start}-${end - 1}/${sizeBytes}`)
      const signal = hangUpSignal(res)
      const options = { context: req.context, deadlineMs: firstBytesMs }
      await withoutIdleLimit(req.socket, () =>
        recordings.readRecording({ ...address, start, end }, options)(({ data }) => {
          if (!res.headersSent) res.writeHead(isWhole ? 200 : 206, headers)
          return writePart(res, data, signal)
        }, signal),
      )
      res.end()
    },
}
