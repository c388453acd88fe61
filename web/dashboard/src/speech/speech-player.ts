import {
  type AudioPlayer,
  createAudioPlayer,
  createSpokenWords,
  ParlanceError,
  type Speech,
  type SpeechClient,
  type SpeechEnd,
} from '@parlance/client/speech'
import type { VoiceChoice } from '../voices/voice-choice.js'
import type { SpeechEvent } from './speech-state.js'
import type { Waveform } from './waveform.js'

/** What a page shows of an error. That of a token is what the API answered. */
const problemOf = (error: unknown): unknown => {
  if (!(error instanceof ParlanceError)) return error
  const { code, message: detail, retryable } = error
  return code === 'token_unavailable' ? error.cause : { code, detail, retryable }
}

interface UtteranceOptions {
  readonly speech: Speech
  readonly player: AudioPlayer
  readonly waveform: Waveform
  readonly text: string
  /** When the person requested it, on the clock of `performance`. */
  readonly askedMs: number
  /**
   * Called while it plays, and at its end with `done`, `stopped` or `failed`. `stopped` may come again, with the figures of the
   * server.
   */
  onEvent(event: SpeechEvent): void
}

interface Utterance {
  /** Silences it. */
  stop(): void
  /** Reports nothing more of it. */
  abandon(): void
}

/** Plays one text: its audio is played and drawn, and its words are followed. */
const startUtterance = (options: UtteranceOptions): Utterance => {
  const { speech, player, waveform, text, askedMs, onEvent } = options
  const words = createSpokenWords(text)
  let isAbandoned = false
  let isOver = false
  let hasAudio = false
  let finished: Extract<SpeechEnd, { type: 'done' }> | undefined
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
    report({ type: 'done', end: finished })
  }
  const draw = () => {
    if (isAbandoned) return
    const positionMs = player.positionMs()
    if (!isOver) follow(positionMs)
    const isMoving = waveform.draw(isOver ? (stoppedMs ?? Number.POSITIVE_INFINITY) : positionMs)
    if (isMoving || !isOver) requestAnimationFrame(draw)
  }

  const receive = async (): Promise<void> => {
    for await (const part of speech) {
      if (part.type === 'alignment') words.add(part.words)
      else {
        waveform.add(part.samples)
        const inSeconds = player.play(part.samples)
        if (!hasAudio) report({ type: 'first-audio', ms: performance.now() + inSeconds * 1_000 - askedMs })
        hasAudio = true
      }
    }
    const end = await speech.ended
    if (end.type === 'cancelled') reportStop(end.textSpoken.length, stoppedMs ?? 0, end.charactersBilled)
    else {
      waveform.complete()
      finished = end
      if (stoppedMs !== undefined) reportStop(words.lengthAt(stoppedMs), stoppedMs, end.charactersBilled)
    }
  }
  player.clear()
  receive().catch((error) => {
    if (!isOver) report({ type: 'failed', error: problemOf(error), spokenLength: words.lengthAt(silence()) })
  })
  draw()

  return {
    stop() {
      if (isOver) return
      const playedMs = silence()
      speech.cancel(playedMs)
      reportStop(words.lengthAt(playedMs), playedMs, finished?.charactersBilled)
    },
    abandon() {
      isAbandoned = true
    },
  }
}

interface SpeechPlayerOptions {
  readonly speech: SpeechClient
  readonly waveform: Waveform
  onEvent(event: SpeechEvent): void
}

/** Speaks one text at a time, over a connection that it keeps. */
export class SpeechPlayer {
  readonly #options: SpeechPlayerOptions
  #player: AudioPlayer | undefined
  #utterance: Utterance | undefined
  /** The text that is spoken or waits for the connection; undefined without one. */
  #attempt: { readonly text: string } | undefined

  constructor(options: SpeechPlayerOptions) {
    this.#options = options
  }

  /** Opening the sound card takes a while. Call it early, from a click or a key press. */
  async resumeAudio(): Promise<AudioPlayer> {
    this.#player ??= createAudioPlayer()
    const player = this.#player
    await player.resume()
    return player
  }

  /** Call it from a click or a key press, so that the browser lets it play. Does nothing while a text is spoken. */
  async speak(text: string, { voiceId, variant }: VoiceChoice): Promise<void> {
    if (this.#attempt !== undefined) return
    this.forget()
    const { speech: client, waveform } = this.#options
    const askedMs = performance.now()
    const attempt = { text }
    this.#attempt = attempt
    waveform.clear()
    this.#report({ type: 'connecting', text })
    try {
      const [player] = await Promise.all([this.resumeAudio(), client.connect()])
      if (this.#attempt !== attempt) return
      this.#report({ type: 'speaking' })
      const onEvent = (event: SpeechEvent) => this.#report(event)
      const speech = client.speak({ text, voiceId, ttsVariant: variant })
      this.#utterance = startUtterance({ speech, player, waveform, text, askedMs, onEvent })
    } catch (error) {
      if (this.#attempt === attempt) this.#report({ type: 'failed', error: problemOf(error), spokenLength: 0 })
    }
  }

  stop(): void {
    if (this.#utterance !== undefined) this.#utterance.stop()
    else if (this.#attempt !== undefined) {
      this.#report({ type: 'stopped', spokenLength: 0, playedMs: 0, billedCharacters: 0 })
    }
  }

  /** Stops reports about the last speech, because the page shows another text. */
  forget(): void {
    this.#utterance?.abandon()
    this.#utterance = undefined
  }

  /** Silences it and closes its connection. */
  close(): void {
    this.stop()
    this.forget()
    this.#options.speech.close()
    this.#player?.close()
    this.#player = undefined
  }

  #report(event: SpeechEvent): void {
    if (event.type === 'done' || event.type === 'stopped' || event.type === 'failed') this.#attempt = undefined
    this.#options.onEvent(event)
  }
}
