/**
 * A telephone call: the messages of a network's socket as those of a conversation.
 *
 * - The network's `start` begins the conversation. Audio before that is dropped.
 * - Audio is µ-law at 8 kHz on the socket and PCM at 24 kHz on the stream, 20 ms at a time. The instance sends it in real time.
 * - An interruption drops what the network has not played yet.
 * - Keys that the caller presses become one message of the user, 2 s after the last one, or with `#`.
 * - When the conversation has ended, a mark shows when its last words were played. Then the call is transferred, or the socket is
 *   closed, which ends the call.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { settlesWithin } from '@parlance/async'
import { pcmAsBytes, pcmFromBytes, pcmToUlaw, ulawToPcm } from '@parlance/audio'
import { createResampler } from '@parlance/audio/encoding'
import {
  ServiceError,
  type SessionClientEvent,
  type SessionServerEvent,
  sessionEventLimits,
  transferCallName,
} from '@parlance/contracts'
import type { RawData, WebSocket } from 'ws'
import type { SessionProtocol, SessionSides } from '../session-socket/session-connection.js'
import { createMessageLimit, createMessageRate } from '../websocket/message-rate.js'
import type { CallMessage, CallStart, TelephonyProvider } from './provider.js'

const phoneRateHz = 8_000
const conversationRateHz = 24_000
/** 20 ms of PCM at 24 kHz. */
const frameBytes = 960

/** Converts the network's audio, of parts of any length, to the frames of a conversation. */
export const createCallerAudio = (): ((ulaw: Uint8Array) => Uint8Array[]) => {
  const resampler = createResampler({ fromHz: phoneRateHz, toHz: conversationRateHz })
  let rest: Uint8Array = new Uint8Array()
  return (ulaw) => {
    rest = Buffer.concat([rest, pcmAsBytes(resampler.resample(ulawToPcm(ulaw)))])
    const frames: Uint8Array[] = []
    for (; rest.length >= frameBytes; rest = rest.subarray(frameBytes)) frames.push(rest.subarray(0, frameBytes))
    return frames
  }
}

/** Converts the frames of a conversation to the network's audio. */
export const createAgentAudio = (): ((pcm: Uint8Array) => Uint8Array) => {
  const resampler = createResampler({ fromHz: conversationRateHz, toHz: phoneRateHz })
  return (pcm) => {
    const samples = resampler.resample(pcmFromBytes(pcm))
    // The resampler keeps the end of the first frame back. Networks expect 20 ms.
    const frame = new Int16Array(Math.max(samples.length, (pcm.length * phoneRateHz) / conversationRateHz / 2))
    frame.set(samples, frame.length - samples.length)
    return pcmToUlaw(frame)
  }
}

/** Joins the digits that a caller presses in a row. */
export const createDigits = (onDigits: (digits: string) => void, pauseMs = 2_000) => {
  let digits = ''
  let timer: NodeJS.Timeout | undefined
  const flush = (): void => {
    clearTimeout(timer)
    if (digits !== '') onDigits(digits)
    digits = ''
  }
  return {
    press(digit: string): void {
      digits += digit
      clearTimeout(timer)
      if (digit === '#') flush()
      else timer = setTimeout(flush, pauseMs)
    },
    stop: () => clearTimeout(timer),
  }
}

const startWithinMs = 10_000
const playedWithinMs = 5_000
/** The network closes the socket of a call that it has transferred. */
const transferredWithinMs = 10_000
const lastWords = 'last-words'

/** Throws `invalid_request`. */
const readMessage = (provider: TelephonyProvider, data: RawData): CallMessage | undefined => {
  try {
    return provider.readMessage(JSON.parse(String(data)))
  } catch {
    throw new ServiceError('invalid_request', 'The message is not of the protocol.')
  }
}

/** Resolves with the first `start` of a network. Rejects with `invalid_request` when it does not come in time, or the socket is closed. */
export const receiveStart = (socket: WebSocket, provider: TelephonyProvider): Promise<CallStart> =>
  new Promise((resolve, reject) => {
    const refuse = () => reject(new ServiceError('invalid_request', 'The call did not start in time.'))
    const onMessage = (data: RawData): void => {
      try {
        const message = readMessage(provider, data)
        if (message?.kind !== 'start') return
        clearTimeout(limit)
        socket.off('message', onMessage)
        resolve(message)
      } catch (error) {
        reject(error)
      }
    }
    const limit = setTimeout(refuse, startWithinMs)
    socket.on('message', onMessage)
    socket.once('close', () => {
      clearTimeout(limit)
      refuse()
    })
  })

interface PhoneCallOptions {
  readonly provider: TelephonyProvider
  readonly streamId: string
  /** Connects the caller to this number. Rejects when the network does not. */
  transfer(to: string): Promise<void>
  onTransferFailed(error: unknown): void
}

/** The protocol of a call that has started. */
export const createPhoneCall =
  ({ provider, streamId, transfer, onTransferFailed }: PhoneCallOptions) =>
  ({ outbound, sendToInstance, hangUp }: SessionSides): SessionProtocol => {
    const countMessage = createMessageLimit(sessionEventLimits.messages_per_second)
    const takeFrame = createMessageRate(sessionEventLimits.audio_frames_per_second)
    const toFrames = createCallerAudio()
    const toNetwork = createAgentAudio()
    const report = (event: SessionClientEvent): void => sendToInstance({ kind: 'message', text: JSON.stringify(event) })
    const digits = createDigits((text) => report({ event: 'text.send', id: randomUUID(), text }))
    let transferTo: string | undefined
    let onPlayed = (): void => {}

    const onEvent = (event: SessionServerEvent): void => {
      if (event.event === 'interruption') outbound.send(provider.clear(streamId))
      if (event.event !== 'tool.call') return
      const isTransfer = event.name === transferCallName
      if (isTransfer) transferTo = (event.arguments as { number: string }).number
      report({
        event: 'tool.result',
        tool_call_id: event.tool_call_id,
        result: isTransfer ? 'The call will be transferred.' : 'The user is on the telephone and has no page.',
        is_error: !isTransfer,
      })
    }

    report({ event: 'client.ready' })
    return {
      receive(bytes) {
        const message = readMessage(provider, bytes)
        if (message?.kind !== 'audio') countMessage()
        switch (message?.kind) {
          case 'start':
            throw new ServiceError('invalid_request', 'The call has started already.')
          case 'audio':
            for (const data of toFrames(message.data)) {
              if (takeFrame(performance.now())) sendToInstance({ kind: 'audio', data })
            }
            return
          case 'digit':
            return digits.press(message.digit)
          case 'mark':
            if (message.name === lastWords) onPlayed()
            return
          case 'stop':
            return hangUp()
        }
      },

      deliver(chunk) {
        if (chunk.kind === 'message') return onEvent(JSON.parse(chunk.text) as SessionServerEvent)
        outbound.send(provider.audio(streamId, Buffer.from(toNetwork(chunk.data)).toString('base64')))
      },

      /** A telephone shows no errors. */
      sendError() {},

      async finish() {
        if (!outbound.isOpen()) return
        const played = new Promise<void>((resolve) => {
          onPlayed = resolve
        })
        outbound.send(provider.mark(streamId, lastWords))
        await settlesWithin(played, playedWithinMs)
        if (transferTo === undefined || !outbound.isOpen()) return
        await transfer(transferTo).then(() => delay(transferredWithinMs, undefined, { ref: false }), onTransferFailed)
      },

      close() {
        digits.stop()
        onPlayed()
      },
    }
  }
