import { ApiError, listVoices, mintStreamToken } from './api.js'
import { createKeyForm } from './key-form.js'
import { createNaturalVoice } from './natural-voice.js'
import { createPlayer, sampleRate } from './player.js'
import { sampleFor } from './samples.js'
import { startSpeech } from './speech.js'
import { openStream } from './stream.js'
import { createView } from './view.js'
import { createVoiceFields } from './voices.js'
import { createWaveform } from './waveform.js'
import { createWords } from './words.js'

/** In code points: what a stream lets wait to be spoken. */
const maxCharacters = 8000

const byId = (id) => document.getElementById(id)
const field = byId('text')
const view = createView()
const voices = createVoiceFields(byId('voice'), byId('variant'), byId('price'), (language) => {
  const sample = sampleFor(language, field.value)
  if (sample === field.value || isBusy()) return
  field.value = sample
  showText()
})
const naturalVoice = createNaturalVoice({
  installed(all, { id, display_name }) {
    voices.show(all, id)
    if (!isBusy()) view.enter('idle', `${display_name} is installed and chosen.`)
    showText()
  },
})
const words = createWords(byId('mirror'), byId('paper'))
const waveform = createWaveform(byId('waveform'), sampleRate)

let key = ''
let stream
let player
let speech
/** Counts what was asked for; what belongs to an earlier one must not touch the page. */
let turn = 0

/** Opening the sound card takes a while, so the first click or key on the page begins with it. */
const unlock = () => {
  player ??= createPlayer()
  return player.unlock()
}

const isBusy = () => speech !== undefined
const count = () => [...field.value].length
const canSpeak = () => voices.chosen().voiceId !== '' && field.value.trim() !== '' && count() <= maxCharacters

const showText = () => {
  words.begin(field.value)
  view.counted(count(), maxCharacters)
  byId('speak').disabled = !canSpeak()
}

const lock = () => {
  key = ''
  stream?.close()
  naturalVoice.forget()
  voices.show([])
  showText()
  view.enter('locked')
}

const keyForm = createKeyForm({
  use: (given) => useKey(given),
  onForget() {
    stop()
    turn += 1
    lock()
  },
})

const fail = (error) => {
  if (!(error instanceof ApiError)) console.error(error)
  if (error.code === 'unauthorized') {
    lock()
    keyForm.ask('This key is not known here, or was revoked.')
  } else {
    view.failed(error)
    keyForm.offer()
  }
}

const useKey = async (newKey) => {
  view.enter('loading', 'Looking for voices…')
  try {
    const found = await listVoices(newKey)
    key = newKey
    keyForm.accept(key)
    naturalVoice.look(key, found)
    if (voices.show(found) === 0) throw new ApiError({ code: 'no_voices' })
    view.enter('idle', 'Ready.')
  } catch (error) {
    fail(error)
  }
  showText()
}

const connect = async () => {
  if (!stream?.isOpen()) stream = await openStream(await mintStreamToken(key))
  return stream
}

/** Runs in the handler of a click or a key press up to its first await, so that the browser lets it start audio. */
const speak = async () => {
  if (isBusy()) return
  if (!canSpeak()) return field.focus()
  const mine = ++turn
  const isCurrent = () => mine === turn
  const askedMs = performance.now()
  const text = field.value
  const end = (callback) => (result) => {
    speech = undefined
    callback(result)
  }
  const callbacks = {
    firstAudio: view.firstAudio,
    moved: view.moved,
    done: end(view.done),
    stopped: end(view.stopped),
    failed: end(fail),
  }
  speech = {
    stop() {
      turn += 1
      callbacks.stopped({ remaining: text, playedMs: 0, billed: 0 })
    },
  }

  words.begin(text)
  waveform.clear()
  waveform.draw(0)
  view.figuresCleared()
  view.enter('connecting', 'Connecting…')
  try {
    const [connection] = await Promise.all([connect(), unlock()])
    if (!isCurrent()) return
    view.enter('speaking', 'Speaking.')
    speech = startSpeech({
      stream: connection,
      text,
      voice: voices.chosen(),
      askedMs,
      isCurrent,
      player,
      words,
      waveform,
      callbacks,
    })
  } catch (error) {
    if (isCurrent()) callbacks.failed(error)
  }
}

const stop = () => speech?.stop()

byId('speak').addEventListener('click', speak)
byId('stop').addEventListener('click', stop)
field.addEventListener('input', () => {
  turn += 1
  if (key !== '') view.enter('idle')
  showText()
})
document.addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
    event.preventDefault()
    speak()
  }
  if (event.key === 'Escape' && isBusy()) stop()
})

const redraw = () => waveform.draw()
for (const gesture of ['pointerdown', 'keydown']) document.addEventListener(gesture, unlock, { once: true })

addEventListener('resize', redraw)
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw)

showText()
redraw()
view.enter('locked')
keyForm.begin()
