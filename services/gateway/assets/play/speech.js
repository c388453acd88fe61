/** Plays one text: its audio is played and drawn, and its words are highlighted. */
import { sampleRate } from './player.js'

/**
 * Calls `callbacks.firstAudio(ms)` since `askedMs`, `moved(positionMs)` while it plays, and at last one of `done(message)`,
 * `stopped({ remaining, playedMs, billed })` or `failed(error)`. `stopped` may be called again, with the figures of the server.
 * Once `isCurrent()` is false, it does not change the page any more.
 */
export const startSpeech = ({ stream, text, voice, askedMs, isCurrent, player, words, waveform, callbacks }) => {
  let hasAudio = false
  let over = false
  let finished
  let stoppedMs

  const silence = () => {
    over = true
    stoppedMs = player.positionMs()
    player.clear()
    waveform.complete()
  }

  const stopAt = (length, playedMs, billed) => {
    if (!isCurrent()) return
    words.rest(length)
    callbacks.stopped({ remaining: text.slice(length), playedMs, billed })
  }

  const draw = () => {
    if (!isCurrent()) return
    const positionMs = player.positionMs()
    if (!over) {
      words.follow(positionMs)
      callbacks.moved(positionMs)
      if (finished !== undefined && positionMs >= player.queuedMs()) {
        over = true
        words.rest(text.length)
        callbacks.done(finished)
      }
    }
    if (waveform.draw(over ? (stoppedMs ?? Number.POSITIVE_INFINITY) : positionMs) || !over) requestAnimationFrame(draw)
  }

  const spoken = stream.speak(
    { text, ...voice, sampleRate },
    {
      audio(samples) {
        if (over) return
        waveform.add(samples)
        const inSeconds = player.play(samples)
        if (!hasAudio) callbacks.firstAudio(performance.now() + inSeconds * 1000 - askedMs)
        hasAudio = true
      },
      words: (some) => over || words.add(some),
      done(message) {
        if (!isCurrent()) return
        waveform.complete()
        finished = message
        if (stoppedMs !== undefined) stopAt(words.lengthAt(stoppedMs), stoppedMs, message.characters_billed)
      },
      cancelled: ({ text_spoken, characters_billed }) => stopAt(text_spoken.length, stoppedMs, characters_billed),
      failed(error) {
        if (over) return
        silence()
        words.rest(words.lengthAt(stoppedMs))
        callbacks.failed(error)
      },
    },
  )
  player.clear()
  draw()

  return {
    stop() {
      if (over) return
      silence()
      spoken.cancel(stoppedMs)
      stopAt(words.lengthAt(stoppedMs), stoppedMs, finished?.characters_billed)
    },
  }
}
