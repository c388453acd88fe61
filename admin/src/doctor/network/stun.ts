/** The Binding method of STUN (RFC 8489), without authentication and fingerprint, which are not needed to find an address. */
import { randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { isIPv4 } from 'node:net'
import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { withTimeout } from '@parlance/async'
import ipaddr from 'ipaddr.js'

/** A transport address. */
export interface Address {
  readonly address: string
  readonly port: number
}

const headerBytes = 20
const bindingRequest = 0x0001
const bindingSuccess = 0x0101
const xorMappedAddress = 0x0020
const families = { v4: 1, v6: 2 }
const magicCookie = Buffer.from([0x21, 0x12, 0xa4, 0x42])

/** The cookie and the transaction id, with which addresses are combined. */
const maskOf = (message: Buffer): Buffer => message.subarray(4, headerBytes)

const xor = (bytes: Buffer, mask: Buffer): Buffer => Buffer.from(bytes.map((byte, index) => byte ^ mask[index]!))

/** A Binding request with a new transaction id: 20 bytes. */
export const encodeBindingRequest = (): Buffer =>
  Buffer.concat([Buffer.from([0, bindingRequest, 0, 0]), magicCookie, randomBytes(12)])

export const isBindingRequest = (message: Buffer): boolean =>
  message.length >= headerBytes &&
  message.readUInt16BE(0) === bindingRequest &&
  message.subarray(4, 8).equals(magicCookie)

/** The answer to a Binding request: the address that the request came from. */
export const encodeBindingResponse = (request: Buffer, { address, port }: Address): Buffer => {
  const mask = maskOf(request)
  const value = Buffer.from(ipaddr.process(address).toByteArray())
  const attribute = Buffer.alloc(8)
  attribute.writeUInt16BE(xorMappedAddress, 0)
  attribute.writeUInt16BE(4 + value.length, 2)
  attribute.writeUInt8(value.length === 4 ? families.v4 : families.v6, 5)
  attribute.writeUInt16BE(port ^ mask.readUInt16BE(0), 6)
  const header = Buffer.alloc(4)
  header.writeUInt16BE(bindingSuccess, 0)
  header.writeUInt16BE(attribute.length + value.length, 2)
  return Buffer.concat([header, mask, attribute, xor(value, mask)])
}

/** The address that an answer to `request` contains; undefined for any other message. */
export const mappedAddressIn = (message: Buffer, request: Buffer): Address | undefined => {
  if (message.length < headerBytes || message.readUInt16BE(0) !== bindingSuccess) return undefined
  const mask = maskOf(request)
  if (!maskOf(message).equals(mask)) return undefined
  for (let at = headerBytes; at + 4 <= message.length; ) {
    const length = message.readUInt16BE(at + 2)
    const value = message.subarray(at + 4, at + 4 + length)
    if (message.readUInt16BE(at) === xorMappedAddress && value.length === length && (length === 8 || length === 20)) {
      const bytes = xor(value.subarray(4), mask)
      return {
        address: ipaddr.fromByteArray([...bytes]).toString(),
        port: value.readUInt16BE(2) ^ mask.readUInt16BE(0),
      }
    }
    // Attributes are padded to four bytes.
    at += 4 + Math.ceil(length / 4) * 4
  }
  return undefined
}

/** `203.0.113.7:5000` or `[2001:db8::1]:5000`. */
export const addressText = ({ address, port }: Address): string =>
  isIPv4(address) ? `${address}:${port}` : `[${address}]:${port}`

/** The result of several requests. */
interface StunProbe {
  readonly sent: number
  readonly answered: number
  /** The shortest time of all responses. */
  readonly roundTripMs: number | undefined
  /** This machine's address as the server received it. */
  readonly mapped: Address | undefined
}

const sendEveryMs = 100
const waitForLastMs = 1_500

/**
 * Sends Binding requests to a STUN server over UDP, by default ten, and waits until all are answered, or the
 * last one has timed out. Rejects when the name does not resolve.
 */
export const probeStun = async (
  { host, port }: { host: string; port: number },
  signal: AbortSignal,
  count = 10,
): Promise<StunProbe> => {
  const { address, family } = await lookup(host)
  const socket = createSocket(family === 6 ? 'udp6' : 'udp4')
  const pending = new Map<Buffer, number>()
  let sent = 0
  let mapped: Address | undefined
  let roundTripMs: number | undefined
  // A closed port may be reported as an error of the next datagram. The missing response shows the same.
  socket.on('error', () => {})
  const allAnswered = new Promise<void>((resolve) => {
    socket.on('message', (message) => {
      for (const [request, sentMs] of pending) {
        const found = mappedAddressIn(message, request)
        if (found === undefined) continue
        pending.delete(request)
        mapped = found
        const tookMs = performance.now() - sentMs
        roundTripMs = Math.min(roundTripMs ?? tookMs, tookMs)
        if (sent === count && pending.size === 0) resolve()
      }
    })
  })
  try {
    while (sent < count) {
      const request = encodeBindingRequest()
      pending.set(request, performance.now())
      sent += 1
      socket.send(request, port, address, () => {})
      if (sent < count) await delay(sendEveryMs, undefined, { signal })
    }
    await withTimeout(allAnswered, waitForLastMs, () => undefined)
  } finally {
    socket.close()
  }
  return { sent, answered: sent - pending.size, roundTripMs, mapped }
}

/**
 * Answers STUN requests at a UDP port of all addresses, or of `host`. A response is 12 or 24 bytes longer than the request.
 * Rejects when the port cannot be bound.
 */
export const openStunResponder = async (port: number, host = '::') => {
  const socket = createSocket({ type: host.includes(':') ? 'udp6' : 'udp4' })
  const requests = new Map<string, number>()
  const first = new Promise<void>((resolve) => {
    socket.on('message', (message, { address, port }) => {
      if (!isBindingRequest(message)) return
      const from: Address = { address: address.replace(/^::ffff:(?=[\d.]+$)/, ''), port }
      socket.send(encodeBindingResponse(message, from), port, address, () => {})
      requests.set(addressText(from), (requests.get(addressText(from)) ?? 0) + 1)
      resolve()
    })
  })
  socket.bind(port, host)
  await once(socket, 'listening')
  // A response that cannot be sent counts as lost.
  socket.on('error', () => {})
  return {
    port: socket.address().port,
    /** The number of requests from each address. */
    requests,
    /** Resolves with the first request. */
    first,
    close: (): void => void socket.close(),
  }
}
