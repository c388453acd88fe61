import type { VoiceChoice } from '../voices/voice-choice.js'
import { type AudioPlayer, sampleRateHz } from './audio-player.js'
import type { SpeechEvent } from './speech-state.js'
import type { SpeechDone, SpeechStream } from './speech-stream.js'
import { createSpokenWords } from './spoken-words.js'
import type { Waveform } from './waveform.js'

export interface UtteranceOptions {
  readonly stream: SpeechStream
  readonly player: AudioPlayer
  readonly waveform: Waveform
  readonly text: string
  readonly voice: VoiceChoice
  /** When the person requested it, on the clock of `performance`. */
  readonly askedMs: number
  /**
   * Called while it plays, and at its end with `done`, `stopped` or `failed`. `stopped` may come again, with the figures of the
   * server.
   */
  onEvent(event: SpeechEvent): void
}

export interface Utterance {
  /** Silences it. */
  stop(): void
  /** Reports nothing more of it. */
  abandon(): void
}

/** Plays one text: its audio is played and drawn, and its words are followed. */
export const startUtterance = (options: UtteranceOptions): Utterance => {
  const { stream, player, waveform, text, voice, askedMs, onEvent } = options
  const words = createSpokenWords(text)
  let isAbandoned = false
  let isOver = false
  let hasAudio = false
  let finished: SpeechDone | undefined
  let stoppedMs: number | undefined

  const report = (event: SpeechEvent) => {
    if (!isAbandoned) onEvent(event)
  }
  /** Returns the position at which it ended. */
  const silence = (): number => {
    isOver = true
    stoppedMs = player.positionMs()
    player.clear()
    waveform.complete()
    return stoppedMs
  }
  const reportStop = (spokenLength: number, playedMs: number, billedCharacters?: number) =>
    report({ type: 'stopped', spokenLength, playedMs, billedCharacters })

  const follow = (positionMs: number) => {
    report({ type: 'played', positionMs, word: words.at(positionMs) })
    if (finished === undefined || positionMs < player.queuedMs()) return
    isOver = true
    report({ type: 'done', message: finished })
  }
  const draw = () => {
    if (isAbandoned) return
    const positionMs = player.positionMs()
    if (!isOver) follow(positionMs)
    const isMoving = waveform.draw(isOver ? (stoppedMs ?? Number.POSITIVE_INFINITY) : positionMs)
    if (isMoving || !isOver) requestAnimationFrame(draw)
  }

  const spoken = stream.speak(
    { text, ...voice, sampleRateHz },
    {
      audio(samples) {
        if (isOver) return
        waveform.add(samples)
        const inSeconds = player.play(samples)
        if (!hasAudio) report({ type: 'first-audio', ms: performance.now() + inSeconds * 1_000 - askedMs })
        hasAudio = true
      },
      words(aligned) {
        if (!isOver) words.add(aligned)
      },
      done(message) {
        waveform.complete()
        finished = message
        if (stoppedMs !== undefined) reportStop(words.lengthAt(stoppedMs), stoppedMs, message.characters_billed)
      },
      cancelled: ({ text_spoken, characters_billed }) =>
        reportStop(text_spoken.length, stoppedMs ?? 0, characters_billed),
      failed(error) {
        if (!isOver) report({ type: 'failed', error, spokenLength: words.lengthAt(silence()) })
      },
    },
  )
  player.clear()
  draw()

  return {
    stop() {
      if (isOver) return
      const playedMs = silence()
      spoken.cancel(playedMs)
      reportStop(words.lengthAt(playedMs), playedMs, finished?.characters_billed)
    },
    abandon() {
      isAbandoned = true
    },
  }
}
