/**
 * The agent's speech, from its text to the audio that the client receives.
 *
 * - Audio is written as it is produced, a segment ahead of playback, so that words and visemes are sent before they are due.
 * - `stop` ends the audio at once; nothing of this speech is written or sent after that.
 * - Only text that was played is charged. Audio that was written and not played when the speech is stopped costs nothing.
 * - Before `begin` only the first segment is synthesized, and its audio waits.
 */

import type { PushStream } from '@parlance/async/push-stream'
import { pcmFromBytes } from '@parlance/audio'
import type { SynthesisChunk } from '@parlance/contracts'
import { createSpeechText, type SegmentBatch, SpeechRecord, speechStream, unspoken } from '@parlance/speech'
import type { Playback } from '../../media/playback/playback.js'
import type { SpeakSegment } from '../conversation.js'
import type { TurnClock } from '../turn/turn-clock.js'

export interface AgentSpeech {
  /** Plays from now on what is synthesized. To be called once, before `committed` resolves. */
  begin(): void
  /** Appends text. */
  add(text: string): void
  /** No more text may arrive for some time: the text so far is spoken. */
  flush(): void
  /** The text is complete. */
  end(): void
  /** Ends a pause of the playback. A word that it has cut is played again from its start. */
  resume(): void
  /** The text that was played so far. */
  playedText(): string
  /** Stops for good. Returns the text that was played. */
  stop(): string
  /**
   * Resolves when all of it was played, or it was stopped. Rejects with the error of the synthesis, once the audio that there
   * is was played.
   */
  readonly finished: Promise<void>
}

export interface AgentSpeechOptions {
  /** A BCP 47 tag; null is taken for English. */
  readonly language: string | null
  /** The requested pace of the voice; 1 is its own. */
  readonly speed: number
  readonly playback: Playback
  readonly speakSegment: SpeakSegment
  /** Whether the speech is meant for one person and must not be cached. */
  readonly private: boolean
  /** Aborted when the speech is stopped. */
  readonly signal: AbortSignal
  /** Resolves after `begin`. Rejects when the speech is stopped before. */
  readonly committed: Promise<void>
  readonly clock: Pick<TurnClock, 'mark'>
  /** The first audio is played. */
  onFirstAudio(): void
  /** On the clock of this speech. */
  onAlignment(alignment: Pick<Extract<SynthesisChunk, { event: 'alignment' }>, 'words' | 'visemes'>): void
  /** Called when `characters` more code points were played, which are charged. */
  onSpoken(characters: number): void
}

/** How long the first words may wait for the end of their clause, while nothing is played, and how long fewer words may. */
const firstWordsMs = 80
const fewWordsMs = 300
/** The next segment is written when less audio than this waits to be played. */
const aheadMs = 3000
/** Playback with less than this left is over. */
const nothingMs = 1

/** The speech of an agent that only writes: all of its text counts as played, and it ends with its text. */
export const openSilentSpeech = (): AgentSpeech => {
  let text = ''
  let resolveFinished = () => {}
  const finished = new Promise<void>((resolve) => {
    resolveFinished = resolve
  })
  return {
    begin() {},
    add(more) {
      text += more
    },
    flush() {},
    end: resolveFinished,
    resume() {},
    playedText: () => text.trim(),
    stop() {
      resolveFinished()
      return text.trim()
    },
    finished,
  }
}

export const openAgentSpeech = (options: AgentSpeechOptions): AgentSpeech => {
  const { language, speed, playback, speakSegment, signal, committed, clock } = options
  const { onFirstAudio, onAlignment, onSpoken } = options
  const record = new SpeechRecord(speed)
  const text = createSpeechText({
    language,
    mode: 'auto',
    maxDelayMs: fewWordsMs,
    firstDelayMs: firstWordsMs,
    joins: false,
    batchLength: 0,
    onSegment({ speakable }) {
      if (speakable) clock.mark('first-segment')
    },
  })
  let isBegun = false
  /** Whether a segment was requested from the voice. */
  let hasVoice = false
  let hasAudio = false
  let failed = false
  /** Until where it was played before a word was repeated. */
  let reachedBeforeMs = 0

  /** Until this speech begins, the playback counts that of another. */
  const playedMs = (): number => (isBegun ? playback.playedMs() : 0)

  const playedCharacters = (): number => {
    const reachedMs = Math.max(playedMs(), reachedBeforeMs)
    const played = reachedMs === 0 ? 0 : record.deliveredCharacters(reachedMs + nothingMs)
    return failed ? Math.min(played, record.completedCharacters) : played
  }

  /** Settles the segments that were played completely; all segments once nothing more will be played. */
  const settle = ({ finished }: { finished: boolean }): void => record.settle(playedCharacters(), { isOver: finished })

  const synthesize = (segment: SegmentBatch): PushStream<SynthesisChunk> => {
    // A segment without anything to pronounce has no bill.
    const speech = segment.speakable ? speakSegment(segment, { private: options.private }) : undefined
    record.add(segment, (characters) => {
      if (speech === undefined) return
      speech.settle(characters)
      if (characters > 0) onSpoken(characters)
    })
    if (speech === undefined) return unspoken(segment)
    if (hasVoice) {
      return async (sink, stop) => {
        await committed
        await speech.chunks(sink, stop)
      }
    }
    hasVoice = true
    return (sink, stop) =>
      speech.chunks((chunk) => {
        if (chunk.event === 'audio') clock.mark('first-audio')
        return sink(chunk)
      }, stop)
  }

  const play = (chunk: SynthesisChunk): void | Promise<void> => {
    record.follow(chunk)
    switch (chunk.event) {
      case 'audio':
        playback.write(pcmFromBytes(chunk.data))
        if (hasAudio) return
        hasAudio = true
        clock.mark('played')
        return onFirstAudio()
      case 'alignment':
        return onAlignment(chunk)
      case 'segment':
        settle({ finished: false })
        return playback.below(aheadMs)
    }
  }

  const deliver = (chunk: SynthesisChunk): void | Promise<void> =>
    isBegun ? play(chunk) : committed.then(() => play(chunk))

  const run = async (): Promise<void> => {
    try {
      await speechStream({ batches: text, synthesize, speed })(deliver, signal)
    } catch (error) {
      if (signal.aborted) return
      failed = true
      throw error
    } finally {
      text.close()
      if (!signal.aborted) await playback.below(nothingMs)
      if (!signal.aborted) settle({ finished: true })
    }
  }

  const playedText = (): string => record.splitAt(playedMs()).spoken.trim()

  return {
    begin() {
      isBegun = true
      playback.begin()
    },
    add: text.add,
    flush: text.flush,
    end: text.end,
    resume() {
      reachedBeforeMs = Math.max(playedMs(), reachedBeforeMs)
      playback.resume(record.startOfWordAt(playedMs()))
    },
    playedText,
    stop() {
      const played = playedText()
      settle({ finished: true })
      if (isBegun) playback.clear()
      return played
    },
    finished: run(),
  }
}
