/** One text on its way to the ear: what comes from the connection is played, drawn and lit. */
import { sampleRate } from './player.js'

/**
 * `told` is called back with `firstAudio(ms)` since `askedMs`, `moved(positionMs)` while it is heard, and at last one of
 * `done(message)`, `stopped({ remaining, playedMs, billed })` or `failed(error)`. What was stopped may be told again, when
 * the server says what it counts as spoken. Once `isCurrent()` is false, nothing of it touches the page any more.
 */
export const startSpeech = ({ stream, text, voice, askedMs, isCurrent, player, words, waveform, told }) => {
  let heard = false
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
    told.stopped({ remaining: text.slice(length), playedMs, billed })
  }

  const draw = () => {
    if (!isCurrent()) return
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
    if (waveform.draw(over ? (stoppedMs ?? Number.POSITIVE_INFINITY) : positionMs) || !over) requestAnimationFrame(draw)
  }

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
        told.failed(error)
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
