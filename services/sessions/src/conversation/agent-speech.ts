/**
 * What the agent says, on its way from text to the peer's ear.
 *
 * - Audio is written as it is made, a segment ahead of what is heard, so that words and visemes are told before they are due.
 * - Silence falls with `stop`, at once; nothing of this speech is written or told after that.
 */
import { pcmFromBytes } from '@parlance/audio'
import type { SynthesisChunk } from '@parlance/contracts'
import type { Flow } from '@parlance/flow'
import { createSpeechRecord, type Segment, speechStream } from '@parlance/speech'
import type { Playout } from '../playout/playout.js'
import type { SpeakSegment } from './conversation.js'
import { createSpokenSegments } from './spoken-segments.js'

export interface AgentSpeech {
  /** More of the text. */
  say(text: string): void
  /** More may not come for a while: what has come is spoken. */
  pause(): void
  /** The text is complete. */
  end(): void
  /** Falls silent for good. Returns the text that was heard. */
  stop(): string
  /** Resolves when all of it was heard, or it was stopped; rejects with what became of the synthesis, once what there was of it was heard. */
  readonly over: Promise<void>
}

export interface AgentSpeechOptions {
  readonly language: string | null
  readonly playout: Playout
  readonly speakSegment: SpeakSegment
  /** Whether it is meant for one person. */
  readonly private: boolean
  /** Aborted when it is stopped. */
  readonly signal: AbortSignal
  /** There is first something to say, and first audio of it. */
  onSpeakable(): void
  onFirstAudio(): void
  /** On the clock of this speech. */
  onAlignment(alignment: Pick<Extract<SynthesisChunk, { event: 'alignment' }>, 'words' | 'visemes'>): void
  onSpoken(characters: number): void
}

/** The next segment is written when less than this waits to be heard. */
const aheadMs = 3000
/** Less than this is no audio. */
const nothingMs = 1

export const openAgentSpeech = (options: AgentSpeechOptions): AgentSpeech => {
  const { language, playout, speakSegment, signal, onSpeakable, onFirstAudio, onAlignment, onSpoken } = options
  let writtenMs = 0
  const record = createSpeechRecord(() => writtenMs)
  const segments = createSpokenSegments({
    language,
    onSegment(segment) {
      record.add(segment)
      if (segment.speakable) onSpeakable()
    },
  })
  let audible = false

  const synthesize =
    (segment: Segment): Flow<SynthesisChunk> =>
    (take, stop) =>
      speakSegment(segment, { private: options.private })((chunk) => {
        if (chunk.event === 'segment') onSpoken(chunk.characters)
        return take(chunk)
      }, stop)

  const deliver = (chunk: SynthesisChunk): void | Promise<void> => {
    record.follow(chunk)
    switch (chunk.event) {
      case 'audio':
        playout.write(pcmFromBytes(chunk.data))
        writtenMs = chunk.start_ms + chunk.duration_ms
        if (!audible) onFirstAudio()
        audible = true
        return
      case 'alignment':
        return onAlignment(chunk)
      case 'segment':
        return playout.below(aheadMs)
    }
  }

  const run = async (): Promise<void> => {
    try {
      await speechStream({ passages: segments, synthesize })(deliver, signal)
    } catch (error) {
      if (signal.aborted) return
      throw error
    } finally {
      segments.close()
      if (!signal.aborted) await playout.below(nothingMs)
    }
  }

  playout.begin()
  return {
    say: segments.add,
    pause: segments.flush,
    end: segments.end,
    stop() {
      const { spoken } = record.splitAt(playout.playedMs())
      playout.clear()
      return spoken.trim()
    },
    over: run(),
  }
}
