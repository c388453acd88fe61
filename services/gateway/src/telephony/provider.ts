/** What differs between telephone networks. Each is a file beside this one that exports a `TelephonyProvider`. */
import { timingSafeEqual } from 'node:crypto'
import type { OpenedPhoneNumber, PhoneProvider } from '@parlance/contracts'
import type { EgressRequest } from '@parlance/egress'
import { z } from 'zod'

/** A call that a network asks about. */
interface IncomingCall {
  /** The `account_sid` of the number, where the network sends it. */
  readonly accountSid?: string
  /** The workspace of the number, where the signature does not show it. */
  readonly workspaceId?: string
  /** E.164, where the network knows it. */
  readonly from: string
  readonly to: string
  /** The response to a question about a call that was answered before. */
  readonly response?: string
}

/** A webhook of the network: its form, and its signature. */
export interface CallRequest {
  /** The URL that the network was given. */
  readonly url: string
  readonly body: string
  /** Those of the body. */
  readonly fields: readonly (readonly [name: string, value: string])[]
  readonly header: (name: string) => string | undefined
}

/** What the network sends over the socket of a call. */
export type CallMessage =
  | {
      readonly kind: 'start'
      /** Names the socket's audio in messages to the network. */
      readonly streamId: string
      readonly callId: string
      /** The id of the account at the network. */
      readonly accountId: string
      /** As they were passed to `answer`. */
      readonly parameters: Readonly<Record<string, string>>
    }
  /** µ-law at 8 kHz. */
  | { readonly kind: 'audio'; readonly data: Uint8Array }
  /** A key that the caller has pressed. */
  | { readonly kind: 'digit'; readonly digit: string }
  /** The audio before the mark was played. */
  | { readonly kind: 'mark'; readonly name: string }
  | { readonly kind: 'stop' }

/** The messages that the networks have in common. */
export const sharedMessages = [
  z.object({
    event: z.literal('media'),
    media: z.object({ track: z.string().default('inbound'), payload: z.base64() }),
  }),
  z.object({ event: z.literal('dtmf'), dtmf: z.object({ digit: z.string().regex(/^[0-9A-D*#]$/) }) }),
  z.object({ event: z.literal('stop') }),
] as const

/** Undefined for audio that is not the caller's. */
export const readSharedMessage = (message: z.infer<(typeof sharedMessages)[number]>): CallMessage | undefined => {
  switch (message.event) {
    case 'media':
      if (message.media.track !== 'inbound') return undefined
      return { kind: 'audio', data: Buffer.from(message.media.payload, 'base64') }
    case 'dtmf':
      return { kind: 'digit', digit: message.dtmf.digit }
    case 'stop':
      return { kind: 'stop' }
  }
}

/** Compares in a time that does not depend on where the texts differ. */
export const isEqual = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

export type CallStart = Extract<CallMessage, { kind: 'start' }>

interface CallTransfer {
  /** The base of the network's API. */
  readonly apiUrl: string
  /** Where the network asks about calls. */
  readonly webhookUrl: string
  readonly account: Pick<OpenedPhoneNumber, 'account_sid' | 'auth_token' | 'number'>
  readonly call: CallStart
  readonly to: string
}

export interface TelephonyProvider {
  readonly name: PhoneProvider
  /** Undefined for a request that is no call. */
  readCall(request: CallRequest): IncomingCall | undefined
  /** Whether the account has signed the request. */
  isSigned(request: CallRequest, account: Pick<OpenedPhoneNumber, 'account_sid' | 'auth_token'>): boolean
  /** The XML that connects the call to a socket. */
  answer(streamUrl: string, parameters: Readonly<Record<string, string>>): string
  /** Undefined for a message without meaning here. Throws for one that is not of the protocol. */
  readMessage(json: unknown): CallMessage | undefined
  /** `payload` is µ-law at 8 kHz in base64, 20 ms at a time. */
  audio(streamId: string, payload: string): object
  mark(streamId: string, name: string): object
  /** Drops the audio that was not played yet. */
  clear(streamId: string): object
  /** The request that connects the caller to another number. */
  transfer(transfer: CallTransfer): Pick<EgressRequest, 'method' | 'url' | 'headers' | 'body'>
}
