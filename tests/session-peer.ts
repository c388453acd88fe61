import { once } from 'node:events'
import { type SessionServerEvent, sessionProtocol, sessionServerEventSchema } from '@parlance/contracts'
import { WebSocket } from 'ws'
import { checkDocumentedMessage } from '../services/gateway/test/documented.js'

type EventOf<Name extends SessionServerEvent['event']> = Extract<SessionServerEvent, { event: Name }>

/** The loudness of a frame, from 0 to 1. */
const loudnessOf = (frame: Buffer): number => {
  let energy = 0
  for (let at = 0; at < frame.length; at += 2) energy += (frame.readInt16LE(at) / 32_768) ** 2
  return Math.sqrt((2 * energy) / frame.length)
}

/** Connects to a conversation over its WebSocket. Every event is checked against the contract and the AsyncAPI document. */
export const connectSession = async (url: string, token: string) => {
  const socket = new WebSocket(url, [sessionProtocol, `awp.token.${token}`])
  const events: SessionServerEvent[] = []
  let audioBytes = 0
  let loudest = 0
  const wakers = new Set<() => void>()
  const wake = () => {
    for (const waker of [...wakers]) waker()
  }
  const closed = new Promise<number>((resolve) => {
    socket.once('close', (code) => {
      resolve(code)
      wake()
    })
  })
  socket.on('error', () => {})
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) {
      audioBytes += data.length
      loudest = Math.max(loudest, loudnessOf(data))
    } else {
      const event = sessionServerEventSchema.parse(JSON.parse(String(data)))
      checkDocumentedMessage('conversation', 'ToClient', event)
      events.push(event)
    }
    wake()
  })
  await Promise.race([once(socket, 'open'), closed])

  return {
    socket,
    events,
    closed,
    audioBytes: () => audioBytes,
    /** The loudness of the loudest frame so far. */
    loudest: () => loudest,
    send: (event: object) => socket.send(JSON.stringify(event)),
    sendAudio: (frame: Uint8Array) => socket.send(frame),
    /**
     * Resolves to the first event of this name for which `isSo` returns true, past events included. Rejects when the
     * connection closes without one.
     */
    async event<Name extends SessionServerEvent['event']>(
      name: Name,
      isSo: (event: EventOf<Name>) => boolean = () => true,
    ): Promise<EventOf<Name>> {
      for (;;) {
        const found = events.find(
          (event): event is EventOf<Name> => event.event === name && isSo(event as EventOf<Name>),
        )
        if (found !== undefined) return found
        if (socket.readyState === socket.CLOSED) throw new Error(`closed without ${name}: ${JSON.stringify(events)}`)
        await new Promise<void>((resolve) => {
          const once = () => {
            wakers.delete(once)
            resolve()
          }
          wakers.add(once)
        })
      }
    },
  }
}

export type SessionPeer = Awaited<ReturnType<typeof connectSession>>
