/**
 * What the agent says, from its text to the audio that the peer receives.
 *
 * - Audio is written as it is made, a segment ahead of what is played, so that words and visemes are sent before they are due.
 * - `stop` ends the audio at once; nothing of this speech is written or sent after that.
 * - What was played is paid for: what was only written when the speech is stopped costs nothing.
 */

import type { PushStream } from '@parlance/async/push-stream'
import { pcmFromBytes } from '@parlance/audio'
import type { SynthesisChunk } from '@parlance/contracts'
import { countCodePoints, createSpeechRecord, type Segment, speechStream, unspoken } from '@parlance/speech'
import type { Playback } from '../../media/playback/playback.js'
import type { SegmentSpeech, SpeakSegment } from './conversation.js'
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
  /** The pace at which the voice is asked to speak, 1 for its own. */
  readonly speed: number
  readonly playout: Playback
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
  /** So many code points more were played, and are paid for. */
  onSpoken(characters: number): void
}

/** The next segment is written when less than this waits to be heard. */
const aheadMs = 3000
/** Less than this is no audio. */
const nothingMs = 1

export const openAgentSpeech = (options: AgentSpeechOptions): AgentSpeech => {
  const { language, speed, playout, speakSegment, signal, onSpeakable, onFirstAudio, onAlignment, onSpoken } = options
  let writtenMs = 0
  const record = createSpeechRecord({ sentMs: () => writtenMs, speed })
  const segments = createSpokenSegments({
    language,
    onSegment(segment) {
      record.add(segment)
      if (segment.speakable) onSpeakable()
    },
  })
  let audible = false
  let failed = false
  /** In the order of their audio. A segment with nothing to say has no bill. */
  const unsettled: { readonly characters: number; readonly speech: SegmentSpeech | undefined }[] = []
  let settledCharacters = 0

  const playedCharacters = (): number => {
    const playedMs = playout.playedMs()
    const played = playedMs === 0 ? 0 : record.delivered(playedMs + nothingMs)
    return failed ? Math.min(played, record.completed()) : played
  }

  /** Settles the segments that were played whole; all of them once nothing more will be played. */
  const settle = ({ over }: { over: boolean }): void => {
    const played = playedCharacters()
    for (let next = unsettled[0]; next !== undefined; next = unsettled[0]) {
      const { speech, characters } = next
      const ofIt = Math.min(Math.max(0, played - settledCharacters), characters)
      if (!over && ofIt < characters) return
      unsettled.shift()
      settledCharacters += characters
      speech?.settle(ofIt)
      if (speech !== undefined && ofIt > 0) onSpoken(ofIt)
    }
  }

  const synthesize = (segment: Segment): PushStream<SynthesisChunk> => {
    const speech = segment.speakable ? speakSegment(segment, { private: options.private }) : undefined
    unsettled.push({ characters: countCodePoints(segment.text), speech })
    return speech?.chunks ?? unspoken(segment)
  }

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
        settle({ over: false })
        return playout.below(aheadMs)
    }
  }

  const run = async (): Promise<void> => {
    try {
      await speechStream({ passages: segments, synthesize })(deliver, signal)
    } catch (error) {
      if (signal.aborted) return
      failed = true
      throw error
    } finally {
      segments.close()
      if (!signal.aborted) await playout.below(nothingMs)
      if (!signal.aborted) settle({ over: true })
    }
  }

  playout.begin()
  return {
    say: segments.add,
    pause: segments.flush,
    end: segments.end,
    stop() {
      const { spoken } = record.splitAt(playout.playedMs())
      settle({ over: true })
      playout.clear()
      return spoken.trim()
    },
    over: run(),
  }
}
