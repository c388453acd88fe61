/** When each side of a recorded conversation speaks: replies, interruptions and overlaps, from the samples alone. */
import { samplesToMs } from './pcm.js'

/** A sample with a higher amplitude, -35 dB of the maximum, is sound; others are silence or noise. */
const loudAmplitude = 600

const isLoud = (sample: number): boolean => Math.abs(sample) > loudAmplitude

/** The index of the first loud sample; -1 when there is none. */
export const firstLoudSample = (pcm: Int16Array): number => pcm.findIndex(isLoud)

/** The index of the last loud sample; -1 when there is none. */
export const lastLoudSample = (pcm: Int16Array): number => pcm.findLastIndex(isLoud)

/** Shorter silence, such as that of a consonant, is part of a sound. */
const pauseMs = 200
/** Shorter sounds are clicks. */
const clickMs = 30

/** From its first loud sample to its last. */
export interface Sound {
  readonly startMs: number
  readonly endMs: number
}

/** The sounds of one side. */
export const soundsOf = (pcm: Int16Array, sampleRateHz: number): readonly Sound[] => {
  const pauseSamples = (pauseMs * sampleRateHz) / 1000
  const sounds: { start: number; end: number }[] = []
  for (let at = 0; at < pcm.length; at++) {
    if (!isLoud(pcm[at]!)) continue
    const last = sounds.at(-1)
    if (last !== undefined && at - last.end < pauseSamples) last.end = at
    else sounds.push({ start: at, end: at })
  }
  return sounds
    .map(({ start, end }) => ({
      startMs: samplesToMs(start, sampleRateHz),
      endMs: samplesToMs(end + 1, sampleRateHz),
    }))
    .filter(({ startMs, endMs }) => endMs - startMs >= clickMs)
}

export interface ConversationTiming {
  /** By the reply: the time from the last sound of the caller to the first of the agent. */
  readonly replies: readonly { readonly atMs: number; readonly voiceToVoiceMs: number }[]
  /**
   * By the voice of the caller, who began while the agent spoke and still spoke when it fell silent: the time from the first
   * to the second.
   */
  readonly interruptions: readonly { readonly atMs: number; readonly silentAfterMs: number }[]
  /** By their start: how long both spoke, and who began later. */
  readonly overlaps: readonly { readonly atMs: number; readonly durationMs: number; readonly by: 'caller' | 'agent' }[]
}

export const timingOf = (caller: readonly Sound[], agent: readonly Sound[]): ConversationTiming => {
  const replies = agent.flatMap(({ startMs }, index) => {
    const askedMs = caller.findLast(({ endMs }) => endMs <= startMs)?.endMs
    const spokenMs = agent[index - 1]?.endMs ?? 0
    // Otherwise the agent goes on, as after a pause in its reply.
    return askedMs !== undefined && askedMs > spokenMs ? [{ atMs: startMs, voiceToVoiceMs: startMs - askedMs }] : []
  })
  const pairs = caller.flatMap((user) =>
    agent
      .filter(({ startMs, endMs }) => startMs < user.endMs && user.startMs < endMs)
      .map((reply) => ({ user, reply })),
  )
  return {
    replies,
    interruptions: pairs
      .filter(({ user, reply }) => reply.startMs < user.startMs && reply.endMs < user.endMs)
      .map(({ user, reply }) => ({ atMs: user.startMs, silentAfterMs: reply.endMs - user.startMs })),
    overlaps: pairs.map(({ user, reply }) => {
      const atMs = Math.max(user.startMs, reply.startMs)
      const by = user.startMs > reply.startMs ? 'caller' : 'agent'
      return { atMs, durationMs: Math.min(user.endMs, reply.endMs) - atMs, by }
    }),
  }
}
