/** The client's side of a conversation: the events that it is sent and the audio that is played to it. */
import type { SessionServerEvent } from '@parlance/contracts'
import { sessionServerEventSchema } from '@parlance/contracts'
import { createFrameClock } from '../../src/media/playback/frame-clock.js'
import type { Playback } from '../../src/media/playback/playback.js'
import { createPlayback } from '../../src/media/playback/playback.js'
import type { Transport, TransportListener } from '../../src/media/transport.js'

export type SentEvent = SessionServerEvent & { readonly atMs: number }

export const createFakeTransport = (kind: Transport['kind'] = 'websocket') => {
  const peer = { sent: [] as SentEvent[], closed: 0, listener: undefined as TransportListener | undefined }
  const transport: Transport = {
    kind,
    listen(listener) {
      peer.listener = listener
    },
    send(event) {
      sessionServerEventSchema.parse(event)
      peer.sent.push({ ...event, atMs: performance.now() })
    },
    playFrame() {},
    async close() {
      peer.closed += 1
    },
  }
  return { transport, peer }
}

/** The position of a sample that no fade changes. */
const afterFade = 200

/** A real playback that records when audio was played, and of which speech. */
export const createWatchedPlayback = (): { playback: Playback; played: PlayedAudio } => {
  const played: PlayedAudio = { frames: [], closed: false, lateWrites: 0 }
  let speech = 0
  const playback = createPlayback({
    playFrame(frame) {
      if (frame !== undefined) played.frames.push({ speech, atMs: performance.now(), sample: frame[afterFade]! })
    },
    frameClock: createFrameClock(),
  })
  const watched: Playback = {
    ...playback,
    write(samples) {
      if (played.closed) played.lateWrites += 1
      playback.write(samples)
    },
    begin() {
      speech += 1
      playback.begin()
    },
    close() {
      played.closed = true
      playback.close()
    },
  }
  return { playback: watched, played }
}

export interface PlayedAudio {
  /** One for each frame that was not silence. */
  readonly frames: { readonly speech: number; readonly atMs: number; readonly sample: number }[]
  closed: boolean
  /** How many writes came after it was closed. */
  lateWrites: number
}
