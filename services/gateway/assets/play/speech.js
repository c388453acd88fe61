/** One text on its way to the ear: what comes from the connection is played, drawn and lit. */
import { sampleRate } from './player.js'

/**
 * Begins with silence; `told` is called back with `firstAudio(ms)` since `askedMs`, `moved(positionMs)` while it is heard,
 * and at last one of `done(message)`, `stopped({ remaining, playedMs, billed })` or `failed(error)`. What was stopped may
 * be told again, when the server says what it counts as spoken.
 */
export const startSpeech = ({ stream, text, voice, askedMs, player, words, waveform, told }) => {
  let heard = false
  let over = false
  let finished

  const stopAt = (length, playedMs, billed) => {
    words.rest(length)
    told.stopped({ remaining: text.slice(length), playedMs, billed })
  }

  const draw = () => {
    const positionMs = player.positionMs()
    if (!over) {
      words.follow(positionMs)
      told.moved(positionMs)
      if (finished !== undefined && positionMs >= player.queuedMs()) {
        over = true
        words.rest(text.length)
        told.done(finished)
      }
    }
    if (waveform.draw(over ? lastMs() : positionMs) || !over) requestAnimationFrame(draw)
  }

  let stoppedMs
  const lastMs = () => stoppedMs ?? player.queuedMs()

  const spoken = stream.speak(
    { text, ...voice, sampleRate },
    {
      audio(samples) {
        if (over) return
        waveform.add(samples)
        const inSeconds = player.play(samples)
        if (!heard) told.firstAudio(performance.now() + inSeconds * 1000 - askedMs)
        heard = true
      },
      words: (some) => over || words.add(some),
      done(message) {
        waveform.complete()
        finished = message
        if (stoppedMs !== undefined) stopAt(words.lengthAt(stoppedMs), stoppedMs, message.characters_billed)
      },
      cancelled: ({ text_spoken, characters_billed }) => stopAt(text_spoken.length, stoppedMs, characters_billed),
      failed(error) {
        if (over) return
        over = true
        stoppedMs = player.positionMs()
        player.clear()
        words.rest(words.lengthAt(stoppedMs))
        told.failed(error)
      },
    },
  )
  requestAnimationFrame(draw)

  return {
    stop() {
      if (over) return
      over = true
      stoppedMs = player.positionMs()
      player.clear()
      spoken.cancel(stoppedMs)
      stopAt(words.lengthAt(stoppedMs), stoppedMs, finished?.characters_billed)
    },
  }
}
