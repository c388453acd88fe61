/** Stand-ins for the stages of a conversation. Their results and failures are scripted, and their timers are faked. */

import { pushStreamFrom } from '@parlance/async/push-stream'
import { pcmToBytes } from '@parlance/audio'
import { ServiceError, type SynthesisChunk } from '@parlance/contracts'
import type { SpeakSegment } from '../../src/conversation/conversation.js'
import type { LanguageModel, ReplyRequest } from '../../src/llm/language-model.js'
import type { Recognizer } from '../../src/stt/recognizer.js'
import type { TurnDetector } from '../../src/turn-detector/turn-detector.js'
import type { VoiceDetector } from '../../src/turn-detector/voice-activity/voice-detector.js'

export const failure = (stage: string) => new ServiceError('upstream_error', `The ${stage} failed.`)

export const after = (ms: number, signal?: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    }, ms)
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', onAbort, { once: true })
  })

/** Takes every frame that is not silence for voice, and dates what it notices 60 ms before. */
export const createFakeDetector = () => {
  const detector: VoiceDetector & { frames: number } = {
    frames: 0,
    detect(frame: Int16Array) {
      detector.frames += 1
      return frame[0] !== 0
    },
    changedAgoMs: () => 60,
    reset() {},
  }
  return detector
}

export interface RecordedUtterance {
  readonly voicedFrames: number
  readonly frames: number
  readonly outcome: 'open' | 'finished' | 'cancelled'
}

/** Returns the scripted texts, each `finishMs` after the end of its utterance. */
export const createFakeRecognizer = ({ finishMs = 100 }: { finishMs?: number } = {}) => {
  const script = {
    /** The texts of the next utterances; `undefined` for a failure. Without one an utterance has no text. */
    texts: [] as (string | undefined)[],
    /** The texts of the next previews; `undefined` where the recognizer cannot tell, as for those that are not listed. */
    previews: [] as (string | undefined)[],
    utterances: [] as RecordedUtterance[],
    finishMs,
    /** Whether results come after `cancel`, as from a recognizer that is cancelled too late. */
    lateFinals: false,
    /** Sends the text so far of the utterance that was opened last. */
    partial: (_text: string) => {},
  }
  const recognizer: Recognizer = {
    name: 'fake',
    languages: undefined,
    open({ onPartial }) {
      const utterance = { voicedFrames: 0, frames: 0, outcome: 'open' as RecordedUtterance['outcome'] }
      script.utterances.push(utterance)
      const stop = new AbortController()
      script.partial = (text) => utterance.outcome !== 'cancelled' && onPartial(text)
      return {
        push(samples) {
          utterance.frames += 1
          if (samples[0] !== 0) utterance.voicedFrames += 1
        },
        preview: async () => script.previews.shift(),
        async finish() {
          utterance.outcome = 'finished'
          const text = script.texts.length > 0 ? script.texts.shift() : ''
          await after(script.finishMs, script.lateFinals ? undefined : stop.signal)
          if (text === undefined) throw failure('recognizer')
          return { text, audioMs: utterance.frames * 20 }
        },
        cancel() {
          if (utterance.outcome === 'open') utterance.outcome = 'cancelled'
          stop.abort(new Error('cancelled'))
        },
      }
    },
    close: async () => {},
  }
  return { recognizer, script }
}

export interface ScriptedTurnDetector {
  /** The answers about one pause after the other; the last one for all that follow. */
  readonly answers: readonly (number | undefined)[]
  /** How long each answer takes. Default 50. */
  readonly afterMs?: number
}

export const createFakeTurnDetector = ({ answers, afterMs = 50 }: ScriptedTurnDetector) => {
  const judged: Int16Array[] = []
  const detector: TurnDetector = {
    name: 'fake',
    languages: undefined,
    audioMs: 8000,
    async detect(samples) {
      const answer = answers[Math.min(judged.push(samples), answers.length) - 1]
      await after(afterMs)
      return answer
    },
    close: async () => {},
  }
  return { detector, judged: judged as readonly Int16Array[] }
}

export type ScriptedReply =
  | string
  | { readonly text: string; readonly fails: Error }
  | { readonly text?: string; readonly calls: readonly ScriptedCall[] }

/** Without arguments it is one with none. */
export type ScriptedCall = string | readonly [name: string, args: unknown]

const asReply = (
  scripted: ScriptedReply,
): { readonly text?: string; readonly fails?: Error; readonly calls?: readonly ScriptedCall[] } =>
  typeof scripted === 'string' ? { text: scripted } : scripted

/** Returns the scripted replies, word by word. */
export const createFakeModel = ({ firstMs = 50 }: { firstMs?: number } = {}) => {
  const script = {
    /** The next replies; `Fine.` when there are none left. */
    replies: [] as ScriptedReply[],
    betweenMs: 5,
    requests: [] as ReplyRequest[],
    aborted: 0,
    /** Whether it ignores its signal. */
    ignoresSignal: false,
    /** Whether the stream ends without `done`. */
    cutOff: false,
  }
  let called = 0
  const model: LanguageModel = {
    countsTokens: true,
    async *reply(request, stopped) {
      script.requests.push(request)
      const scripted = script.replies.shift() ?? 'Fine.'
      const { text = '', fails, calls = [] } = asReply(scripted)
      const signal = script.ignoresSignal ? undefined : stopped
      try {
        await after(firstMs, signal)
        for (const piece of text.match(/\s*\S+/g) ?? []) {
          yield { event: 'text', text: piece }
          await after(script.betweenMs, signal)
        }
        if (fails !== undefined) throw fails
        for (const call of calls) {
          const [name, args] = typeof call === 'string' ? [call, {}] : call
          yield { event: 'call', call: { id: `call_${++called}`, name, arguments: args } }
        }
        if (!script.cutOff) yield { event: 'done', inputTokens: 10, outputTokens: text.length }
      } finally {
        if (stopped.aborted) script.aborted += 1
      }
    },
  }
  return { model, script }
}

export const msPerCharacter = 50
const samplesPerCharacter = (24_000 * msPerCharacter) / 1000

/** Speaks every character for 50 ms, with the times of its words. All samples of the n-th segment that was requested are n. */
export const createFakeSpeech = ({ firstMs = 40 }: { firstMs?: number } = {}) => {
  const script = {
    /** The errors of the next segments; `undefined` for a segment that succeeds. */
    failures: [] as (Error | undefined)[],
    spoken: [] as { text: string; private: boolean }[],
    /** The segments that were requested, and for each call of `settle` the segment and its code points. */
    asked: [] as string[],
    settled: [] as { text: string; characters: number }[],
    /** Whether it ignores its signal. */
    ignoresSignal: false,
  }
  const output = { format: 'pcm_s16le', sample_rate: 24_000, bit_rate: null } as const
  const speakSegment: SpeakSegment = (segment, options) => {
    const sample = script.asked.push(segment.text)
    return {
      chunks: pushStreamFrom((signal) => speak(segment, options, signal, sample)),
      settle: (characters) => void script.settled.push({ text: segment.text, characters }),
    }
  }
  async function* speak(
    ...[{ text }, { private: isPrivate }, signal, sample]: [...Parameters<SpeakSegment>, AbortSignal, number]
  ): AsyncGenerator<SynthesisChunk> {
    script.spoken.push({ text, private: isPrivate })
    const fails = script.failures.shift()
    await after(firstMs, script.ignoresSignal ? undefined : signal)
    if (fails !== undefined) throw fails
    yield { event: 'started', output, queue_ms: 0, ttfa_ms: firstMs }
    for (let at = 0; at < text.length; at += 4) {
      const length = Math.min(4, text.length - at)
      const data = pcmToBytes(new Int16Array(length * samplesPerCharacter).fill(sample))
      const time = { start_ms: at * msPerCharacter, duration_ms: length * msPerCharacter }
      yield { event: 'audio', seq: at / 4, segment: 0, ...time, data }
    }
    const words = [...text.matchAll(/[\p{L}\p{N}]+/gu)].map(({ 0: word, index }) => ({
      text: word,
      start_ms: index * msPerCharacter,
      end_ms: (index + word.length) * msPerCharacter,
    }))
    yield { event: 'alignment', segment: 0, words, phonemes: [], visemes: [] }
    yield { event: 'segment', segment: 0, characters: text.length }
    const audio_duration_ms = text.length * msPerCharacter
    yield { event: 'done', audio_duration_ms, characters_billed: text.length, ttfa_ms: firstMs }
  }
  return { speakSegment, script }
}
