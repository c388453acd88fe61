/**
 * One utterance of the agent: its text as it is thought of, spoken as it comes, kept as it was heard.
 *
 * - One `AbortController` stops the model, the synthesis and the playing.
 * - It is over once: heard to its end, interrupted, or come to nothing. Nothing of it is told or kept after that.
 * - Where its speech fails its text is still told: it can be read.
 */
import type { SessionServerEvent } from '@parlance/contracts'
import { type AgentSpeechOptions, openAgentSpeech } from './agent-speech.js'
import type { FailingStage } from './failures.js'
import type { TranscriptEntry } from './transcript.js'
import type { TurnClock } from './turn-clock.js'

export interface AgentUtterance {
  hold(): void
  resume(): void
  /** Falls silent for good. Undefined where the peer does not know that there was anything. */
  interrupt(): { readonly id: string; readonly heard: string } | undefined
}

export interface AgentUtteranceOptions
  extends Pick<AgentSpeechOptions, 'language' | 'playout' | 'speakSegment' | 'private' | 'onSpoken'> {
  readonly entry: TranscriptEntry
  readonly clock: TurnClock
  readonly text: (signal: AbortSignal) => AsyncIterable<string>
  send(event: SessionServerEvent): void
  onFirstAudio(): void
  onSucceeded(stage: FailingStage): void
  onFailed(stage: FailingStage, error: unknown): void
  /** It was not interrupted. */
  onOver(): void
}

export const openAgentUtterance = (options: AgentUtteranceOptions): AgentUtterance => {
  const { entry, clock, playout, send, onFirstAudio, onSucceeded, onFailed, onOver } = options
  const stop = new AbortController()
  const { signal } = stop
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
    onAlignment: ({ words, visemes }) => send({ event: 'alignment', speech_id: entry.id, words, visemes }),
  })

  const failed = (stage: FailingStage) => (error: unknown) => {
    if (!signal.aborted) onFailed(stage, error)
  }

  const write = async (): Promise<void> => {
    clock.mark('asked')
    for await (const piece of options.text(signal)) {
      if (signal.aborted) return
      if (piece === '') continue
      clock.mark('first-text')
      text += piece
      entry.grow(text)
      speech.say(piece)
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
  void run()

  return {
    hold: () => playout.pause(),
    resume: () => playout.resume(),
    interrupt() {
      const heard = speech.stop()
      stop.abort()
      entry.close(heard, true)
      return text === '' ? undefined : { id: entry.id, heard }
    },
  }
}
