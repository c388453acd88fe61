import { randomUUID } from 'node:crypto'
import type { Client } from '@parlance/bus'
import type { liveSessionsContract } from '@parlance/contracts'
import { type SessionServerEvent, sessionServerEventSchema } from '@parlance/contracts'

/** The peer of a conversation over a WebSocket, as a gateway stands for it. */
export const attachPeer = (
  { live }: { live: Client<typeof liveSessionsContract> },
  address: { workspace_id: string; session_id: string },
  instance: string,
) => {
  const leave = new AbortController()
  const events: SessionServerEvent[] = []
  let audioFrames = 0
  let failure: unknown
  let seq = 0
  let wake = () => {}

  const read = async (): Promise<void> => {
    try {
      await live.attach(address, { instance })((chunk) => {
        if (chunk.kind === 'audio') audioFrames += 1
        else events.push(sessionServerEventSchema.parse(JSON.parse(chunk.text)))
        wake()
      }, leave.signal)
    } catch (error) {
      if (!leave.signal.aborted) failure = error
    } finally {
      wake()
    }
  }
  const closed = read()

  return {
    events,
    /** Resolves when nothing more is sent, whether it ended well or broke off. */
    closed,
    failure: () => failure,
    audioFrames: () => audioFrames,
    leave: () => leave.abort(),
    /** As what the peer sends is told; `audio` is bytes. */
    receive: (items: ({ kind: 'message'; text: string } | { kind: 'audio'; data: string })[], at = seq++) =>
      live.receive({ ...address, seq: at, items }, { instance }),
    send(event: object) {
      return this.receive([{ kind: 'message', text: JSON.stringify(event) }])
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
