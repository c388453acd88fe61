import { errorBody, type SessionClientEvent, type SessionServerEvent } from '@parlance/contracts'
import type { DataChannel } from 'node-datachannel'
import { createClientEventReader } from '../client-event-reader.js'

/** The data channel of a peer, which carries one event in each message. */
export interface EventChannel {
  /** Sends nothing unless the peer is open. A loss is reported after this has returned. */
  send(event: SessionServerEvent): void
  close(): void
}

export interface EventChannelOptions {
  readonly channel: DataChannel
  readonly requestId: string
  /** The library calls back even after a close. Its messages are dropped then. */
  isOpen(): boolean
  /** Called for each message of the peer. */
  onActivity(): void
  onEvent(event: SessionClientEvent): void
  onClosed(): void
  /** The peer does not receive events any more, or does not read them. May be called several times. */
  onLost(): void
}

/** A peer that leaves more bytes of events unread is lost. */
const maxBufferedBytes = 1024 * 1024

/** Returns whether the peer reads its events. */
const sendEvent = (channel: DataChannel, event: SessionServerEvent): boolean => {
  try {
    channel.sendMessage(JSON.stringify(event))
    return channel.bufferedAmount() <= maxBufferedBytes
  } catch {
    // The channel has just closed.
    return false
  }
}

export const openEventChannel = (options: EventChannelOptions): EventChannel => {
  const { channel, requestId, isOpen, onActivity, onEvent, onClosed, onLost } = options

  const send = (event: SessionServerEvent): void => {
    // The caller of `send` must not be called back before `send` returns.
    if (isOpen() && !sendEvent(channel, event)) queueMicrotask(onLost)
  }
  const reader = createClientEventReader({ onEvent, onError: (error) => send(errorBody(error, requestId)) })

  channel.onClosed(onClosed)
  channel.onMessage((message) => {
    if (!isOpen()) return
    onActivity()
    if (typeof message === 'string') reader.read(message)
    else reader.refuseBinary()
  })
  return { send, close: () => channel.close() }
}
