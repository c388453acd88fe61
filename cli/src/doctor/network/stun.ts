/** The Binding method of STUN (RFC 8489), without authentication and fingerprint, which are not needed to find an address. */
import { randomBytes } from 'node:crypto'
import { isIPv4 } from 'node:net'
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
