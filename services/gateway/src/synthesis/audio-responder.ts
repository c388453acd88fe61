import { writePart } from '../http/streamed-body.js'
import { createPace, type SpeechResponder, type StartedChunk, speechHeaders } from './speech.js'

/** The audio as the body, in chunks, as it is produced. */
export const respondWithAudio: SpeechResponder = async (req, res, speech) => {
  const pace = createPace(speech)
  let started: StartedChunk | undefined
  await speech.speak((chunk) => {
    if (chunk.event === 'started') started = chunk
    if (chunk.event !== 'audio') return
    if (!res.headersSent) res.writeHead(200, speechHeaders(req, speech, started))
    return pace(writePart(res, chunk.data, speech.signal), chunk.duration_ms)
  })
  if (!res.headersSent) res.writeHead(200, speechHeaders(req, speech, started))
  res.end()
}
