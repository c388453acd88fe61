/** The peer's side of a conversation: what it is sent and what it hears. */
import type { SessionServerEvent } from '@parlance/contracts'
import { sessionServerEventSchema } from '@parlance/contracts'
import type { Playout } from '../../src/playout/playout.js'
import { frameMs, type Transport, type TransportListener } from '../../src/transport/transport.js'

export type SentEvent = SessionServerEvent & { readonly atMs: number }

export const createFakeTransport = () => {
  const peer = { sent: [] as SentEvent[], closed: 0, listener: undefined as TransportListener | undefined }
  const transport: Transport = {
    kind: 'websocket',
    listen(listener) {
      peer.listener = listener
    },
    send(event) {
      sessionServerEventSchema.parse(event)
      peer.sent.push({ ...event, atMs: performance.now() })
    },
    playFrame() {},
    async close() {
      peer.closed += 1
    },
  }
  return { transport, peer }
}

/** Plays on fake timers, and remembers when it played audio, and of which speech. */
export const createFakePlayout = () => {
  const heard = {
    /** One for each frame that was not silence. */
    frames: [] as { readonly speech: number; readonly atMs: number }[],
    closed: false,
    /** Writes that came after it was closed. */
    lateWrites: 0,
  }
  let speech = 0
  let waiting = 0
  let played = 0
  let paused = false
  let waiters: { belowMs: number; resolve: () => void }[] = []

  const wake = () => {
    const woken = waiters.filter(({ belowMs }) => waiting < belowMs)
    waiters = waiters.filter((waiter) => !woken.includes(waiter))
    for (const { resolve } of woken) resolve()
  }
  const drop = () => {
    waiting = 0
    paused = false
    wake()
  }
  const ticker = setInterval(() => {
    if (paused || waiting === 0) return
    const ms = Math.min(frameMs, waiting)
    waiting -= ms
    played += ms
    heard.frames.push({ speech, atMs: performance.now() })
    wake()
  }, frameMs)

  const playout: Playout = {
    write(samples) {
      if (heard.closed) heard.lateWrites += 1
      waiting += samples.length / 24
    },
    waitingMs: () => waiting,
    below: (belowMs) => new Promise((resolve) => (waiting < belowMs ? resolve() : waiters.push({ belowMs, resolve }))),
    playedMs: () => played,
    begin() {
      drop()
      speech += 1
      played = 0
    },
    pause() {
      paused = true
    },
    resume() {
      paused = false
    },
    clear: drop,
    close() {
      heard.closed = true
      clearInterval(ticker)
      drop()
    },
  }
  return { playout, heard }
}
