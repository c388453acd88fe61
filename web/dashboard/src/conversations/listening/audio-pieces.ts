/** The audio of a live conversation, as `POST /dashboard/api/agent-sessions/{sessionId}/listen` sends it. */
import { readJsonLines } from '../../api/json-lines.js'
import type { components } from '../../api/schema.js'

export const sampleRateHz = 24_000
export const channelCount = 2

/** A part of the conversation. */
export interface AudioPiece {
  /** The position since the response began. When the connection was too slow, positions have a gap. */
  readonly atMs: number
  /** 16-bit PCM with two interleaved channels: the user, then the Agent. */
  readonly samples: Int16Array
}

const samplesOf = (base64: string): Int16Array =>
  new Int16Array(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)).buffer)

/** Ends when the conversation has ended. Throws a `TypeError`, as `fetch` does, when the connection is lost. */
export async function* readAudioPieces(body: ReadableStream<Uint8Array>): AsyncGenerator<AudioPiece> {
  for await (const { at_ms, audio_base64 } of readJsonLines<components['schemas']['PieceOfAudio']>(body)) {
    yield { atMs: at_ms, samples: samplesOf(audio_base64) }
  }
}
