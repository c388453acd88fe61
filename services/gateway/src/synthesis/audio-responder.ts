import type { SpeechResponder, StartedChunk } from './speech.js'
import { speechHeaders, writePart } from './speech.js'

/** The audio as the body, in parts, as it is made. */
export const respondWithAudio: SpeechResponder = async (req, res, speech) => {
  let started: StartedChunk | undefined
  for await (const chunk of speech.chunks) {
    if (chunk.event === 'started') started = chunk
    if (chunk.event !== 'audio') continue
    if (!res.headersSent) res.writeHead(200, speechHeaders(req, speech, started))
    await writePart(res, chunk.data, speech.signal)
  }
  if (!res.headersSent) res.writeHead(200, speechHeaders(req, speech, started))
  res.end()
}
