/**
 * One utterance of the agent: its text as it is thought of, spoken as it comes, kept as it was heard.
 *
 * - One `AbortController` stops the model, the tools, the synthesis and the playing.
 * - It is over once: heard to its end, interrupted, or come to nothing. Nothing of it is told or kept after that.
 * - Where its speech fails its text is still told: it can be read.
 */
import { setMaxListeners } from 'node:events'
import type { SessionServerEvent } from '@parlance/contracts'
import type { AgentText } from './agent-reply.js'
import { type AgentSpeechOptions, openAgentSpeech } from './agent-speech.js'
import type { FailingStage } from './failures.js'
import type { TranscriptEntry } from './transcript.js'
import type { TurnClock } from './turn-clock.js'

export interface AgentUtterance {
  hold(): void
  resume(): void
  /** The user has interrupted it: falls silent for good, and says so where the peer knows that there was anything. */
  interrupt(): void
  /** Falls silent for good without a word. */
  stop(): void
}

export interface AgentUtteranceOptions
  extends Pick<AgentSpeechOptions, 'language' | 'speed' | 'playout' | 'speakSegment' | 'private' | 'onSpoken'> {
  readonly entry: TranscriptEntry
  readonly clock: TurnClock
  readonly text: (signal: AbortSignal) => AsyncIterable<AgentText>
  send(event: SessionServerEvent): void
  onFirstAudio(): void
  onSucceeded(stage: FailingStage): void
  onFailed(stage: FailingStage, error: unknown): void
  /** It was not interrupted. */
  onOver(): void
  /** An error of ours. */
  onBroken(error: unknown): void
}

export const openAgentUtterance = (options: AgentUtteranceOptions): AgentUtterance => {
  const { entry, clock, playout, send, onFirstAudio, onSucceeded, onFailed, onOver, onBroken } = options
  const controller = new AbortController()
  // All tools of a reply may wait for it at once, beside the model and the voice.
  setMaxListeners(50, controller.signal)
  const { signal } = controller
  let text = ''

  const speech = openAgentSpeech({
    ...options,
    signal,
    onSpeakable: () => clock.mark('speakable'),
    onFirstAudio() {
      clock.mark('first-audio')
      onSucceeded('tts')
      onFirstAudio()
    },
    onAlignment({ words, visemes }) {
      const { id } = entry
      if (words.length + visemes.length > 0) send({ event: 'alignment', id, speech_id: id, words, visemes })
    },
  })

  const failed = (stage: FailingStage) => (error: unknown) => {
    if (!signal.aborted) onFailed(stage, error)
  }

  const add = (more: string): void => {
    clock.mark('first-text')
    text += more
    entry.grow(text)
    speech.say(more)
  }

  const write = async (): Promise<void> => {
    clock.mark('asked')
    for await (const piece of options.text(signal)) {
      if (signal.aborted) return
      if (piece.event === 'pause') speech.pause()
      else if (piece.text !== '') add(piece.text)
    }
    onSucceeded('llm')
  }

  const run = async (): Promise<void> => {
    // Watched from the beginning: speech may fail while the text is still being written.
    const spoken = speech.over.catch(failed('tts'))
    await write().catch(failed('llm'))
    speech.end()
    await spoken
    if (signal.aborted) return
    entry.close(text.trim())
    onOver()
  }
  run().catch(onBroken)

  /** Returns what was heard. */
  const fallSilent = (): string => {
    const heard = speech.stop()
    controller.abort()
    return heard
  }

  return {
    hold: () => playout.pause(),
    resume: () => playout.resume(),
    interrupt() {
      const heard = fallSilent()
      const { id } = entry
      if (text !== '') send({ event: 'interruption', id, transcript_id: id, text_heard: heard })
      entry.close(heard, true)
    },
    stop: () => entry.close(fallSilent(), true),
  }
}
