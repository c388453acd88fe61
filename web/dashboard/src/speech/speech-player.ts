import type { VoiceChoice } from '../voices/voice-choice.js'
import { type AudioPlayer, createAudioPlayer } from './audio-player.js'
import type { SpeechEvent } from './speech-state.js'
import type { SpeechStream } from './speech-stream.js'
import { startUtterance, type Utterance } from './utterance.js'
import type { Waveform } from './waveform.js'

export interface SpeechPlayerOptions {
  /** Rejects with a problem, as calls of the API do. */
  openStream(): Promise<SpeechStream>
  readonly waveform: Waveform
  onEvent(event: SpeechEvent): void
}

/** Speaks one text at a time, over a connection that it keeps. */
export class SpeechPlayer {
  readonly #options: SpeechPlayerOptions
  #player: AudioPlayer | undefined
  #stream: SpeechStream | undefined
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
  async speak(text: string, voice: VoiceChoice): Promise<void> {
    if (this.#attempt !== undefined) return
    this.forget()
    const askedMs = performance.now()
    const attempt = { text }
    this.#attempt = attempt
    this.#options.waveform.clear()
    this.#report({ type: 'connecting', text })
    try {
      const [stream, player] = await Promise.all([this.#connect(), this.resumeAudio()])
      if (this.#attempt !== attempt) return
      this.#report({ type: 'speaking' })
      const { waveform } = this.#options
      const onEvent = (event: SpeechEvent) => this.#report(event)
      this.#utterance = startUtterance({ stream, player, waveform, text, voice, askedMs, onEvent })
    } catch (error) {
      if (this.#attempt === attempt) this.#report({ type: 'failed', error, spokenLength: 0 })
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
    this.#stream?.close()
    this.#player?.close()
    this.#stream = undefined
    this.#player = undefined
  }

  async #connect(): Promise<SpeechStream> {
    if (this.#stream?.isOpen() !== true) this.#stream = await this.#options.openStream()
    return this.#stream
  }

  #report(event: SpeechEvent): void {
    if (event.type === 'done' || event.type === 'stopped' || event.type === 'failed') this.#attempt = undefined
    this.#options.onEvent(event)
  }
}
