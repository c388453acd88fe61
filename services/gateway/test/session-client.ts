import { type SessionServerEvent, sessionProtocol, sessionServerEventSchema } from '@parlance/contracts'
import { WebSocket } from 'ws'

/** The peer of a conversation over a WebSocket, which checks every event against the contract. */
export const connectSession = (url: string, token: string) => {
  const socket = new WebSocket(url.replace(/^http/, 'ws'), [sessionProtocol, `awp.token.${token}`])
  const events: SessionServerEvent[] = []
  const frames: Buffer[] = []
  let wake = () => {}
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.once('close', (code, reason) => {
      resolve({ code, reason: String(reason) })
      wake()
    })
  })
  const opened = new Promise<void>((resolve) => socket.once('open', () => resolve()))
  socket.on('error', () => {})
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) frames.push(data)
    else events.push(sessionServerEventSchema.parse(JSON.parse(String(data))))
    wake()
  })

  return {
    socket,
    events,
    frames,
    closed,
    opened,
    send: (event: object) => socket.send(JSON.stringify(event)),
    sendAudio: (bytes: Uint8Array) => socket.send(bytes),
    /** Resolves with the first event of this name, from now or before; rejects when the connection closed without one. */
    async event<Name extends SessionServerEvent['event']>(
      name: Name,
      where: (event: Extract<SessionServerEvent, { event: Name }>) => boolean = () => true,
    ): Promise<Extract<SessionServerEvent, { event: Name }>> {
      type Wanted = Extract<SessionServerEvent, { event: Name }>
      for (;;) {
        const found = events.find((event) => event.event === name && where(event as Wanted))
        if (found !== undefined) return found as Wanted
        if (socket.readyState === socket.CLOSED) throw new Error(`closed without ${name}`)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
  }
}

export type SessionClient = ReturnType<typeof connectSession>
