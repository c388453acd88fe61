/**
 * One connection to one NATS server, from its greeting to its loss.
 *
 * - It is there once the server has answered the first ping, and so has taken our name and password.
 * - It is lost once, for whichever reason, and never comes back.
 * - A server that hangs without closing its socket is lost after two pings that it did not answer.
 */
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { z } from 'zod'
import { maxMessageBytes } from '../bus.js'
import type { NatsServer } from './address.js'
import { createInbound } from './inbound.js'
import type { ServerOperations } from './operations.js'

export interface LinkOptions {
  readonly server: NatsServer
  /** How the connection is named in the server's own listings. */
  readonly name: string
  /** Closes it, at any time. */
  readonly signal: AbortSignal
  readonly onMessage: ServerOperations['message']
  /** The server does not do something it was asked to, such as what it does not permit. */
  onRefused(reason: string): void
  /** The cluster is reached at these, each `host:port`. */
  onAddresses(addresses: readonly string[]): void
  onLost(): void
}

export interface Link {
  /** Whether the kernel has them all: else they must not change any more. */
  write(bytes: Buffer): boolean
  /** Resolves when the server has seen all that was written before. */
  roundTrip(): Promise<void>
}

const openWithinMs = 5_000
const pingEveryMs = 5_000
const mostUnanswered = 2
/** What the headers of a message may add to it. */
const headroomBytes = 64 * 1024

const infoSchema = z.object({
  headers: z.boolean().default(false),
  max_payload: z.int(),
  tls_required: z.boolean().default(false),
  connect_urls: z.array(z.string()).default([]),
})
type Info = z.infer<typeof infoSchema>

/** Rejects with the reason: the system's own error, or what the server says against it. */
export const openLink = async (options: LinkOptions): Promise<Link> => {
  try {
    return await dial(options)
  } catch (error) {
    if (!(error instanceof TlsRequired)) throw error
    return dial({ ...options, server: { ...options.server, secure: true } })
  }
}

class TlsRequired extends Error {}

const dial = ({ server, name, signal, onMessage, onRefused, onAddresses, onLost }: LinkOptions): Promise<Link> =>
  new Promise((resolve, reject) => {
    let socket: Socket | undefined
    let greeted = false
    let open = false
    let over = false
    let pingTimer: NodeJS.Timeout | undefined
    let unanswered = 0
    const pings: { resolve: () => void; reject: (reason: Error) => void }[] = []

    const lose = (reason: Error) => {
      if (over) return
      over = true
      signal.removeEventListener('abort', onAbort)
      clearTimeout(openTimer)
      clearInterval(pingTimer)
      socket?.destroy()
      for (const ping of pings.splice(0)) ping.reject(reason)
      if (open) onLost()
      else reject(reason)
    }
    const onAbort = () => lose(new Error('The connection was closed.'))
    const openTimer = setTimeout(() => lose(new Error('It does not answer.')), openWithinMs)

    const write = (bytes: Buffer | string): boolean => {
      if (over || socket === undefined) return true
      socket.write(bytes)
      return socket.writableLength === 0
    }
    const roundTrip = () =>
      new Promise<void>((answered, failed) => {
        pings.push({ resolve: answered, reject: failed })
        write('PING\r\n')
      })
    const stayInTouch = () => {
      if (unanswered === mostUnanswered) return lose(new Error('It stopped answering.'))
      unanswered += 1
      roundTrip().catch(() => undefined)
    }

    const greet = (info: Info) => {
      greeted = true
      if (info.tls_required && !server.secure) return lose(new TlsRequired())
      if (!info.headers) return lose(new Error('It knows no headers: NATS 2.2 or later is needed.'))
      if (info.max_payload < maxMessageBytes + headroomBytes) {
        return lose(new Error(`It takes messages of ${info.max_payload} bytes at most: set max_payload to 1MB.`))
      }
      const identity = { name, lang: 'typescript', version: '1', protocol: 1 }
      const wishes = { verbose: false, pedantic: false, headers: true, no_responders: true }
      write(`CONNECT ${JSON.stringify({ ...identity, ...wishes, ...server.credentials })}\r\n`)
      roundTrip().then(() => {
        if (over) return
        open = true
        clearTimeout(openTimer)
        pingTimer = setInterval(stayInTouch, pingEveryMs)
        resolve({ write, roundTrip })
      }, reject)
    }

    const operations: ServerOperations = {
      message: onMessage,
      info(json) {
        const info = infoSchema.parse(JSON.parse(json))
        if (!greeted) greet(info)
        onAddresses(info.connect_urls)
      },
      ping: () => void write('PONG\r\n'),
      pong() {
        unanswered = 0
        pings.shift()?.resolve()
      },
      refused(reason) {
        if (open) onRefused(reason)
        else lose(new Error(reason))
      },
    }
    const inbound = createInbound(operations)
    /** Whoever speaks something else is left as if he had hung up. */
    const orLose =
      <Piece>(receive: (piece: Piece) => void) =>
      (piece: Piece): true => {
        try {
          receive(piece)
        } catch (error) {
          lose(error as Error)
        }
        return true
      }

    const use = (connected: Socket) => {
      socket = connected
      socket.on('error', lose)
      socket.on('close', () => lose(new Error('It closed the connection.')))
    }
    const { host, port } = server
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) return onAbort()
    if (!server.secure) {
      const onread = { buffer: inbound.room, callback: orLose(inbound.received) }
      return use(connect({ host, port, noDelay: true, onread }))
    }
    // The greeting comes in the clear, and tells that the server waits for TLS.
    const plain = connect({ host, port, noDelay: true })
    use(plain)
    plain.once('data', (greeting) => {
      use(connectTls({ socket: plain, ...(isIP(host) === 0 && { servername: host }) }))
      socket!.on('data', orLose(inbound.append))
      orLose(inbound.append)(greeting)
    })
  })
