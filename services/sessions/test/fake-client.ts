import { randomUUID } from 'node:crypto'
import type { Client } from '@parlance/bus'
import {
  type liveSessionsContract,
  type SessionServerEvent,
  type SessionSocketChunk,
  sessionServerEventSchema,
} from '@parlance/contracts'

/** The client of a conversation over a WebSocket, as the gateway connects it. */
export const connectClient = (
  { live }: { live: Client<typeof liveSessionsContract> },
  address: { workspace_id: string; session_id: string },
  instance: string,
) => {
  const events: SessionServerEvent[] = []
  let audioFrames = 0
  let failure: unknown
  let wake = () => {}

  const onChunk = (chunk: SessionSocketChunk): void => {
    if (chunk.kind === 'audio') audioFrames += 1
    else events.push(sessionServerEventSchema.parse(JSON.parse(chunk.text)))
    wake()
  }
  const stream = live.connectClient(address, onChunk, { instance })
  const closed = stream.ended.then(
    () => wake(),
    (error: unknown) => {
      failure = error
      wake()
    },
  )

  return {
    events,
    /** Resolves when nothing more is sent, whether the stream has ended or failed. */
    closed,
    failure: () => failure,
    audioFrames: () => audioFrames,
    /** The client closes its WebSocket. */
    hangUp: () => stream.end(),
    /** The connection of the client is lost. */
    lose: () => stream.cancel(new Error('the connection of the client was lost')),
    async send(event: object) {
      await stream.send({ kind: 'message', text: JSON.stringify(event) })
    },
    async sendAudio(data: Uint8Array) {
      await stream.send({ kind: 'audio', data })
    },
    say(text: string, id: string = randomUUID()) {
      return this.send({ event: 'text.send', id, text })
    },
    /** Resolves with the first event of this name, from now or before. */
    async event<Name extends SessionServerEvent['event']>(
      name: Name,
      where: (event: SessionServerEvent) => boolean = () => true,
    ) {
      for (;;) {
        const found = events.find((event) => event.event === name && where(event))
        if (found !== undefined) return found as Extract<SessionServerEvent, { event: Name }>
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
  }
}
