import { ApiError, listVoices, mintStreamToken } from './api.js'
import { createPlayer, sampleRate } from './player.js'
import { startSpeech } from './speech.js'
import { openStream } from './stream.js'
import { createView } from './view.js'
import { createVoiceFields } from './voices.js'
import { createWaveform } from './waveform.js'
import { createWords } from './words.js'

/** In code points: what a stream lets wait to be spoken. */
const mostCharacters = 8000
const keptAs = 'parlance.key'

const byId = (id) => document.getElementById(id)
const field = byId('text')
const view = createView()
const voices = createVoiceFields(byId('voice'), byId('variant'), byId('price'))
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
const canSpeak = () => voices.chosen().voiceId !== '' && field.value.trim() !== '' && count() <= mostCharacters

const showText = () => {
  words.begin(field.value)
  view.counted(count(), mostCharacters)
  byId('speak').disabled = !canSpeak()
}

const forgetKey = (problem) => {
  sessionStorage.removeItem(keptAs)
  key = ''
  stream?.close()
  voices.show([])
  showText()
  view.locked(problem)
}

const fail = (error) => {
  if (!(error instanceof ApiError)) console.error(error)
  if (error.code === 'unauthorized') forgetKey('This key is not known here, or was revoked.')
  else view.failed(error)
}

const useKey = async (newKey) => {
  view.enter('loading', 'Looking for voices…')
  try {
    const found = await listVoices(newKey)
    key = newKey
    sessionStorage.setItem(keptAs, key)
    view.unlocked(key)
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

/** Runs inside the click or the key press, up to its first await: that is what lets the page be heard. */
const speak = async () => {
  if (isBusy()) return
  if (!canSpeak()) return field.focus()
  const mine = ++turn
  const isCurrent = () => mine === turn
  const askedMs = performance.now()
  const text = field.value
  const end = (tell) => (what) => {
    speech = undefined
    tell(what)
  }
  const told = {
    firstAudio: view.firstAudio,
    moved: view.moved,
    done: end(view.done),
    stopped: end(view.stopped),
    failed: end(fail),
  }
  speech = {
    stop() {
      turn += 1
      told.stopped({ remaining: text, playedMs: 0, billed: 0 })
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
      ...{ stream: connection, text, voice: voices.chosen(), askedMs, isCurrent, player, words, waveform, told },
    })
  } catch (error) {
    if (isCurrent()) told.failed(error)
  }
}

const stop = () => speech?.stop()

byId('key-form').addEventListener('submit', (event) => {
  event.preventDefault()
  const typed = byId('key').value.trim()
  if (typed === '') view.locked('Paste a key first.')
  else useKey(typed)
})
byId('forget-key').addEventListener('click', () => {
  stop()
  turn += 1
  forgetKey()
})
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
const kept = sessionStorage.getItem(keptAs)
if (kept === null) view.locked()
else useKey(kept)
