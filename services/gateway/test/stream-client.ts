import { once } from 'node:events'
import { type StreamServerMessage, streamProtocol, streamServerMessageSchema } from '@parlance/contracts'
import { WebSocket } from 'ws'
import { checkDocumentedMessage } from './documented.js'

type MessageOf<Event extends StreamServerMessage['event']> = Extract<StreamServerMessage, { event: Event }>

/** A client of `/v1/tts/stream` that checks every message against the contract and the AsyncAPI document. */
export const connectStream = (url: string, token: string, { query = '', headers = {} } = {}) => {
  const socket = new WebSocket(
    `${url.replace('http', 'ws')}/v1/tts/stream${query}`,
    [streamProtocol, ...(token === '' ? [] : [`awp.token.${token}`])],
    { headers },
  )
  const messages: StreamServerMessage[] = []
  const frames: Buffer[] = []
  const wakers = new Set<() => void>()
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.once('close', (code, reason) => {
      resolve({ code, reason: String(reason) })
      for (const wake of wakers) wake()
    })
  })
  const wake = () => {
    for (const waker of wakers) waker()
  }
  socket.on('error', () => {})
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) frames.push(data)
    else {
      const message = streamServerMessageSchema.parse(JSON.parse(String(data)))
      checkDocumentedMessage('stream', 'ToClient', message)
      messages.push(message)
    }
    wake()
  })

  /** Resolves with the first match; rejects when the connection closed without one. */
  const find = async <Found>(look: () => Found | undefined): Promise<Found> => {
    for (;;) {
      const found = look()
      if (found !== undefined) return found
      if (socket.readyState === socket.CLOSED)
        throw new Error(`closed without it: ${JSON.stringify(messages.slice(-3))}`)
      await new Promise<void>((resolve) => {
        const once = () => {
          wakers.delete(once)
          resolve()
        }
        wakers.add(once)
      })
    }
  }
  const of = <Event extends StreamServerMessage['event']>(event: Event, contextId?: string) =>
    messages.filter(
      (message): message is MessageOf<Event> =>
        message.event === event &&
        (contextId === undefined || ('context_id' in message && message.context_id === contextId)),
    )

  return {
    socket,
    messages,
    frames,
    closed,
    of,
    find,
    opened: () => once(socket, 'open'),
    send: (message: object | string) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    /** The `n`th message of this event, counted from 0. */
    next: <Event extends StreamServerMessage['event']>(event: Event, contextId?: string, n = 0) =>
      find(() => of(event, contextId)[n]),
    audioOf: (contextId = 'default') =>
      Buffer.concat(of('audio', contextId).map(({ data }) => Buffer.from(data, 'base64'))),
    async close() {
      socket.close()
      await closed
    },
  }
}

export type StreamClient = ReturnType<typeof connectStream>
