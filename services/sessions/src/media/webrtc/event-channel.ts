import { errorBody, type SessionClientEvent } from '@parlance/contracts'
import type { DataChannel } from 'node-datachannel'
import { createClientEventReader, ownEvents } from '../client-event-reader.js'
import type { RawListener } from '../transport.js'

/** The data channel of a peer, which carries one event in each message. */
export interface EventChannel {
  /** Sends nothing unless the peer is open. A loss is reported after this has returned. */
  send(event: object): void
  close(): void
}

interface EventChannelOptions {
  readonly channel: DataChannel
  readonly requestId: string
  /** The library calls back even after a close. Its messages are dropped then. */
  isOpen(): boolean
  /** Called for each message of the peer. */
  onActivity(): void
  onEvent(event: SessionClientEvent): void
  /** In place of `onEvent`; undefined for our own events. */
  raw(): RawListener | undefined
  /** May be called several times. */
  onClosed(): void
  /** The peer does not read its events. May be called several times. */
  onLost(): void
}

/** A peer that leaves more bytes of events unread is lost. */
const maxBufferedBytes = 1024 * 1024

export const openEventChannel = (options: EventChannelOptions): EventChannel => {
  const { channel, requestId, isOpen, onActivity, onEvent, raw, onClosed, onLost } = options

  const send = (event: object): void => {
    if (!isOpen()) return
    // The caller of `send` must not be called back before `send` returns.
    try {
      channel.sendMessage(JSON.stringify(event))
      if (channel.bufferedAmount() > maxBufferedBytes) queueMicrotask(onLost)
    } catch {
      // The peer has closed the channel, and the library has not yet called `onClosed`.
      queueMicrotask(onClosed)
    }
  }
  const reader = createClientEventReader({
    ...ownEvents,
    onEvent,
    onError: (error) => send(errorBody(error, requestId)),
  })

  channel.onClosed(onClosed)
  channel.onMessage((message) => {
    if (!isOpen()) return
    onActivity()
    const listener = raw()
    if (typeof message !== 'string') reader.refuseBinary()
    else if (listener === undefined) reader.read(message)
    else listener.onMessage(message)
  })
  return { send, close: () => channel.close() }
}
