/** A caller of an Agent over a WebSocket: it types or speaks, waits for replies, and records both sides on its own clock. */
import { once } from 'node:events'
import { createConversationWait, type Message, type Reply } from '@parlance/agent-tests'
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

/** Rejects when the server refuses the connection. */
export const connectCaller = async (url: string, token: string) => {
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
  const messages = new Map<string, Message>()
  /** Ids of messages of the Agent that were played to their end in this turn. */
  const finished = new Set<string>()
  const { changed, end, hasEnded, setProblem, until } = createConversationWait()

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
    } else if (event.event === 'error') setProblem(event.detail)
    else if (event.event === 'session.ended') end(`the conversation ended with ${event.reason}`)
    changed()
  }
  socket.on('message', (data: Buffer, isBinary) => {
    if (!isBinary) return take(sessionServerEventSchema.parse(JSON.parse(String(data))))
    const atMs = Math.max(playedMs, performance.now() - beganMs)
    const pcm = pcmFromBytes(data)
    playedMs = atMs + (pcm.length * 1000) / callerRateHz
    received.push({ atMs, pcm })
  })
  socket.on('close', () => end('the connection was closed'))

  await opened
  await until(() => isReady, { late: 'the conversation did not start' })
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
      if (waiting.length === 0) changed()
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
      () => waiting.length === 0 && finished.size > 0 && (state === 'listening' || hasEnded()),
      { ignoresProblems },
    )
    const sounds = soundsOf(played().subarray(msToSamples(beginMs, callerRateHz)), callerRateHz)
    const first = sounds.find(({ startMs }) => beginMs + startMs >= askedMs)
    return {
      messages: [...messages.values()].filter(({ id }) => !earlier.has(id)),
      delayMs: first && beginMs + first.startMs - askedMs,
    }
  }

  return {
    /** Waits for the first message of the Agent. */
    // Where nothing recognizes speech, an error comes at the start, which typed messages need not mind.
    listen: (): Promise<Reply> => reply({ earlier: new Set(), beginMs: 0 }, 0, true),
    type(text: string): Promise<Reply> {
      const turn = begin()
      setProblem(undefined)
      send({ event: 'text.send', id: crypto.randomUUID(), text })
      return reply(turn, performance.now() - beganMs)
    },
    say(speech: Int16Array): Promise<Reply> {
      const turn = begin()
      waiting = speech
      return reply(turn, sent.length * frameMs + (soundsOf(speech, callerRateHz).at(-1)?.endMs ?? 0))
    },
    /** Hangs up. Resolves when the conversation is over for the caller. */
    async hangUp(): Promise<void> {
      clearInterval(timer)
      socket.close(1000)
      await closed
    },
    /** Opus in Ogg, the caller on the left and the Agent on the right. */
    recording(): Uint8Array {
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

export type SpeakingCaller = Awaited<ReturnType<typeof connectCaller>>
