/** A caller of an Agent over a WebSocket: it types or speaks, waits for replies, and records both sides on its own clock. */
import { once } from 'node:events'
import { concatPcm, msToSamples, pcmFromBytes, pcmToBytes, soundsOf } from '@parlance/audio'
import { createOggOpusEncoder } from '@parlance/audio/encoding'
import {
  type SessionServerEvent,
  sessionProtocol,
  sessionServerEventSchema,
  streamTokenProtocolPrefix,
} from '@parlance/contracts'
import { WebSocket } from 'ws'

export const callerRateHz = 24_000
const frameMs = 20
const frameSamples = (callerRateHz * frameMs) / 1000
const tickMs = 5

export interface Message {
  readonly id: string
  readonly role: 'user' | 'agent'
  readonly text: string
}

/** The Agent's part of a turn. */
export interface Reply {
  /** Of both sides, in their order. */
  readonly messages: readonly Message[]
  /** From the user's last sound, or from the typed message, to the first sound of the reply; undefined without one. */
  readonly delayMs: number | undefined
}

export interface Caller {
  /** Waits for the first message of the Agent. */
  listen(): Promise<Reply>
  type(text: string): Promise<Reply>
  say(speech: Int16Array): Promise<Reply>
  /** Hangs up. Resolves when the conversation is over for the caller. */
  hangUp(): Promise<void>
  /** Opus in Ogg, the caller on the left and the Agent on the right. */
  recording(): Uint8Array
}

/** The time limit of a turn. */
const replyTimeoutMs = 30_000

/** Rejects when the server refuses the connection. */
export const connectCaller = async (url: string, token: string): Promise<Caller> => {
  const socket = new WebSocket(url, [sessionProtocol, `${streamTokenProtocolPrefix}${token}`])
  const opened = once(socket, 'open')
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.on('error', () => {})
  const send = (event: object) => socket.send(JSON.stringify(event))

  let beganMs = performance.now()
  /** Of the caller's frames; the n-th begins n times 20 ms after the beginning. */
  const sent: Int16Array[] = []
  const received: { readonly atMs: number; readonly pcm: Int16Array }[] = []
  let playedMs = 0
  let waiting: Int16Array = new Int16Array(0)
  let isReady = false
  let state: string | undefined
  let ended: string | undefined
  /** The last error of the server. */
  let problem: string | undefined
  const messages = new Map<string, Message>()
  /** Ids of messages of the Agent that were played to their end in this turn. */
  const finished = new Set<string>()
  let onChange = () => {}

  const take = (event: SessionServerEvent): void => {
    if (event.event === 'session.ready') isReady = true
    else if (event.event === 'agent.state') ({ state } = event)
    else if (event.event === 'transcript') {
      const { id, role, text, final, interrupted } = event
      if (final && text === '') messages.delete(id)
      else messages.set(id, { id, role, text })
      if (final && role === 'agent' && !interrupted) finished.add(id)
    } else if (event.event === 'tool.call') {
      const { tool_call_id } = event
      send({ event: 'tool.result', tool_call_id, result: 'There is no page: this is a test.', is_error: true })
    } else if (event.event === 'error') problem = event.detail
    else if (event.event === 'session.ended') ended ??= `the conversation ended with ${event.reason}`
    onChange()
  }
  socket.on('message', (data: Buffer, isBinary) => {
    if (!isBinary) return take(sessionServerEventSchema.parse(JSON.parse(String(data))))
    const atMs = Math.max(playedMs, performance.now() - beganMs)
    const pcm = pcmFromBytes(data)
    playedMs = atMs + (pcm.length * 1000) / callerRateHz
    received.push({ atMs, pcm })
  })
  socket.on('close', () => {
    ended ??= 'the connection was closed'
    onChange()
  })

  const until = async (isSo: () => boolean, late: string, ignoresProblems = false): Promise<void> => {
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      onChange()
    }, replyTimeoutMs)
    try {
      while (!isSo()) {
        if (ended !== undefined) throw new Error(problem ?? ended)
        if (problem !== undefined && !ignoresProblems) throw new Error(problem)
        if (isLate) throw new Error(late)
        await new Promise<void>((resolve) => {
          onChange = resolve
        })
      }
    } finally {
      clearTimeout(timer)
    }
  }

  await opened
  await until(() => isReady, 'the conversation did not start')
  send({ event: 'client.ready' })
  beganMs = performance.now()
  const timer = setInterval(() => {
    // A frame is complete, and sent, 20 ms after it begins.
    while ((sent.length + 1) * frameMs <= performance.now() - beganMs) {
      const frame = new Int16Array(frameSamples)
      frame.set(waiting.subarray(0, frameSamples))
      waiting = waiting.subarray(frameSamples)
      sent.push(frame)
      if (socket.readyState === socket.OPEN) socket.send(pcmToBytes(frame))
      if (waiting.length === 0) onChange()
    }
  }, tickMs)

  /** The Agent's side until now, with silence where nothing was received. */
  const played = (): Int16Array => {
    const pcm = new Int16Array(Math.ceil((Math.max(playedMs, sent.length * frameMs) * callerRateHz) / 1000) + 1)
    for (const { atMs, pcm: part } of received) pcm.set(part, Math.round((atMs * callerRateHz) / 1000))
    return pcm
  }

  /** The beginning of a turn, before anything of it is heard. */
  const begin = () => {
    finished.clear()
    return { earlier: new Set(messages.keys()), beginMs: Math.max(performance.now() - beganMs, playedMs) }
  }

  /** Waits for a whole reply. `askedMs` is the time of the user's last sound, or of the message. */
  const reply = async (
    { earlier, beginMs }: ReturnType<typeof begin>,
    askedMs: number,
    ignoresProblems = false,
  ): Promise<Reply> => {
    await until(
      // An Agent that hangs up does not listen again.
      () => waiting.length === 0 && finished.size > 0 && (state === 'listening' || ended !== undefined),
      `there was no reply within ${replyTimeoutMs / 1000} s`,
      ignoresProblems,
    )
    const sounds = soundsOf(played().subarray(msToSamples(beginMs, callerRateHz)), callerRateHz)
    const first = sounds.find(({ startMs }) => beginMs + startMs >= askedMs)
    return {
      messages: [...messages.values()].filter(({ id }) => !earlier.has(id)),
      delayMs: first && beginMs + first.startMs - askedMs,
    }
  }

  return {
    // Where nothing recognizes speech, an error comes at the start, which typed messages need not mind.
    listen: () => reply({ earlier: new Set(), beginMs: 0 }, 0, true),
    type(text) {
      const turn = begin()
      problem = undefined
      send({ event: 'text.send', id: crypto.randomUUID(), text })
      return reply(turn, performance.now() - beganMs)
    },
    say(speech) {
      const turn = begin()
      waiting = speech
      return reply(turn, sent.length * frameMs + (soundsOf(speech, callerRateHz).at(-1)?.endMs ?? 0))
    },
    async hangUp() {
      clearInterval(timer)
      socket.close(1000)
      await closed
    },
    recording() {
      const [left, right] = [concatPcm(sent), played()]
      const encoder = createOggOpusEncoder({ sampleRateHz: callerRateHz, bitRate: 40_000, channels: 2 })
      const interleaved = new Int16Array(2 * Math.max(left.length, right.length))
      for (let at = 0; at < interleaved.length / 2; at++) {
        interleaved[2 * at] = left[at] ?? 0
        interleaved[2 * at + 1] = right[at] ?? 0
      }
      return Buffer.concat([encoder.encode(interleaved), encoder.finish()])
    },
  }
}
