/**
 * One reply of the agent: its text is spoken as it arrives from the model, and stored up to the last word that was played.
 *
 * - One `AbortController` stops the model, the tools, the synthesis and the playback.
 * - Before `commit` its text and its first audio are made, and nothing of it is sent, kept or played. A failure until then is
 *   reported by `hasFailed` alone.
 * - It ends once: played to its end, interrupted, or failed. Nothing of it is sent or kept after that.
 * - When its speech fails, its text is still sent, so that the client can show it.
 */
import { setMaxListeners } from 'node:events'
import type { SessionServerEvent } from '@parlance/contracts'
import type { FailingStage } from '../stage-failures.js'
import type { TranscriptEntry } from '../transcript.js'
import type { TurnClock } from '../turn/turn-clock.js'
import { type AgentSpeech, type AgentSpeechOptions, openAgentSpeech, openSilentSpeech } from './agent-speech.js'
import type { AgentText } from './reply-text.js'

export interface AgentReplyOptions
  extends Pick<AgentSpeechOptions, 'language' | 'speed' | 'playback' | 'private' | 'onSpoken'> {
  /** Undefined for a reply that is only written. */
  readonly speakSegment: AgentSpeechOptions['speakSegment'] | undefined
  readonly clock: TurnClock
  /** `committed` resolves at the commit, and rejects when it is stopped before. */
  readonly text: (signal: AbortSignal, committed: Promise<void>) => AsyncIterable<AgentText>
  /** Begins the message of the transcript. */
  beginEntry(): TranscriptEntry
  send(event: SessionServerEvent): void
  onFirstAudio(): void
  onSucceeded(stage: FailingStage): void
  onFailed(stage: FailingStage, error: unknown): void
  /** It ended without being interrupted or stopped. */
  onFinished(): void
  /** An internal error. */
  onBroken(error: unknown): void
}

/** How often the text that was played is kept for the record. */
const keepEveryMs = 1_000

export const openAgentReply = (options: AgentReplyOptions) => {
  const { clock, playback, beginEntry, send, onFirstAudio, onSucceeded, onFailed, onFinished, onBroken } = options
  const controller = new AbortController()
  // All tools of a reply may listen to it at once, beside the model and the voice.
  setMaxListeners(50, controller.signal)
  const { signal } = controller
  let text = ''
  /** The message of the transcript; undefined until the commit. */
  let entry: TranscriptEntry | undefined
  let failedEarly = false
  let keeping: NodeJS.Timeout | undefined

  let resolveCommitted = () => {}
  const committed = new Promise<void>((resolve, reject) => {
    resolveCommitted = resolve
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  committed.catch(() => undefined)

  const openSpeech = (speakSegment: AgentSpeechOptions['speakSegment']): AgentSpeech =>
    openAgentSpeech({
      ...options,
      speakSegment,
      signal,
      committed,
      onFirstAudio() {
        onSucceeded('tts')
        keeping = setInterval(() => entry?.keepSoFar(speech.playedText()), keepEveryMs)
        onFirstAudio()
      },
      onAlignment({ words, visemes }) {
        const { id } = entry!
        if (words.length + visemes.length > 0) send({ event: 'alignment', id, speech_id: id, words, visemes })
      },
    })
  const { speakSegment } = options
  const speech = speakSegment === undefined ? openSilentSpeech() : openSpeech(speakSegment)

  const close = (finalText: string, interrupted: boolean): void => {
    clearInterval(keeping)
    entry?.close(finalText, interrupted)
  }

  const failed = (stage: FailingStage) => (error: unknown) => {
    if (signal.aborted) return
    if (entry === undefined) failedEarly = true
    else onFailed(stage, error)
  }

  const add = (more: string): void => {
    clock.mark('first-text')
    text += more
    entry?.grow(text)
    speech.add(more)
  }

  const write = async (): Promise<void> => {
    clock.mark('requested')
    for await (const chunk of options.text(signal, committed)) {
      if (signal.aborted) return
      if (chunk.event === 'pause') speech.flush()
      else if (chunk.text !== '') add(chunk.text)
    }
    // The last segment is complete, whether or not the turn has begun.
    speech.end()
    await committed
    onSucceeded('llm')
  }

  const run = async (): Promise<void> => {
    // The handler is added at once, since speech may fail while the text is still being written.
    const spoken = speech.finished.catch(failed('tts'))
    await write().catch(failed('llm'))
    speech.end()
    await spoken
    await committed.catch(() => undefined)
    if (signal.aborted) return
    close(text.trim(), false)
    onFinished()
  }
  run().catch(onBroken)

  /** Returns the text that was played. */
  const stop = (): string => {
    const played = speech.stop()
    controller.abort()
    return played
  }

  return {
    /** It is the agent's turn now. To be called once. */
    commit() {
      entry = beginEntry()
      entry.grow(text)
      speech.begin()
      resolveCommitted()
    },
    /** Whether a stage has failed before the commit. */
    hasFailed: () => failedEarly,
    pause: () => playback.pause(),
    resume: () => speech.resume(),
    /** The user interrupted it. Stops it, and sends `interruption` where the client was sent any of its text. */
    interrupt() {
      const played = stop()
      const { id } = entry!
      if (text !== '') send({ event: 'interruption', id, transcript_id: id, text_heard: played })
      close(played, true)
    },
    /** Stops it without `interruption`. */
    stop: () => close(stop(), true),
  }
}
