import { listAgents, makeFirstAgent, mintSessionToken, readSession } from './agents.js'
import { ApiError } from './api.js'
import { createKeyForm } from './key-form.js'
import { createLevel } from './level.js'
import { startSession } from './session.js'
import { createTranscript } from './transcript.js'
import { createView } from './view.js'

const byId = (id) => document.getElementById(id)
const view = createView()
const transcript = createTranscript(byId('transcript'))
const level = createLevel((value) => document.body.style.setProperty('--level', value.toFixed(3)))

const voice = new Audio()
voice.autoplay = true

let key = ''
let session
/** Counts conversations; what belongs to an earlier one must not touch the page. */
let turn = 0

const showAgents = (agents) => {
  byId('agent').replaceChildren(...agents.map(({ id, display_name }) => new Option(display_name, id)))
  byId('agent').disabled = agents.length === 0
  byId('start').disabled = agents.length === 0
  byId('make-agent').hidden = agents.length > 0 || key === ''
}

const lock = () => {
  hangUp()
  key = ''
  showAgents([])
  view.enter('locked')
}

const keyForm = createKeyForm({ use: (given) => useKey(given), onForget: lock })

const fail = (error) => {
  if (!(error instanceof ApiError)) console.error(error)
  if (error.code === 'unauthorized') {
    lock()
    keyForm.ask('This key is not known here, or was revoked.')
  } else {
    if (key === '') view.enter('locked')
    else view.enter('idle', 'Not connected')
    view.failed(error)
    if (key === '') keyForm.offer()
  }
}

const useKey = async (given) => {
  view.enter('idle', 'Looking for Agents…')
  try {
    const agents = await listAgents(given)
    key = given
    keyForm.accept(key)
    showAgents(agents)
    view.enter('idle', agents.length > 0 ? 'Ready.' : 'There is no published Agent yet.')
  } catch (error) {
    fail(error)
  }
}

/** Called once for each conversation that had begun, by whatever ends it. */
const over = async (reason) => {
  const { id, close } = session
  turn += 1
  session = undefined
  close()
  level.stop()
  voice.srcObject = null
  view.ended(reason)
  const mine = turn
  const record = await readSession(key, id).catch(() => undefined)
  if (record !== undefined && mine === turn) view.kept(record)
}

const onEvent = (message) => {
  switch (message.event) {
    case 'transcript':
      return transcript.show(message)
    case 'agent.state':
      return view.agentIs(message.state)
    case 'user.speech':
      if (message.started) view.userSpeaks()
      else if (message.recognized === false) view.notRecognized()
      return
    case 'metrics':
      return view.measured(message)
    case 'session.ending':
      return view.ending(message)
    case 'session.ended':
      return over(message.reason)
    case 'error':
      return view.failed(message)
  }
}

/** Runs in the handler of a click up to its first await, so that the browser lets it start audio. */
const start = async () => {
  const mode = byId('mode').value
  const mine = ++turn
  const isCurrent = () => mine === turn
  transcript.clear()
  setMuted(false)
  view.connecting(mode)
  try {
    const agentId = byId('agent').value
    const begun = await startSession({
      agentId,
      mode,
      token: await mintSessionToken(key, agentId),
      on: {
        voice(stream) {
          if (!isCurrent()) return
          voice.srcObject = stream
          level.watch(stream)
        },
        event: (message) => isCurrent() && onEvent(message),
        lost: () => isCurrent() && session !== undefined && over('connection_lost'),
      },
    })
    if (!isCurrent()) return begun.hangUp()
    session = begun
    if (begun.microphone !== undefined) level.watch(begun.microphone)
    view.enter('live', 'Connected.')
  } catch (error) {
    if (isCurrent()) fail(error)
  }
}

const hangUp = () => {
  if (session === undefined) {
    turn += 1
    if (key !== '') view.enter('idle', 'Ready.')
    return
  }
  const { hangUp: end } = session
  void end().then(() => session !== undefined && over('user_disconnected'))
}

const setMuted = (muted) => {
  byId('mute').setAttribute('aria-pressed', String(muted))
  byId('mute').textContent = muted ? 'Muted' : 'Mute'
}

let holding = false
const hold = () => {
  if (holding || session === undefined || byId('hold').hidden) return
  holding = true
  byId('hold').classList.add('held')
  session.send({ event: 'ptt.start' })
}
const endTalk = (event = 'ptt.commit') => {
  if (!holding) return
  holding = false
  byId('hold').classList.remove('held')
  session?.send({ event })
}

byId('start').addEventListener('click', start)
byId('hang-up').addEventListener('click', hangUp)
byId('interrupt').addEventListener('click', () => session?.send({ event: 'interrupt' }))
byId('mute').addEventListener('click', () => {
  const muted = byId('mute').getAttribute('aria-pressed') !== 'true'
  setMuted(muted)
  session?.send({ event: 'mute', muted })
})
byId('make-agent').addEventListener('click', async () => {
  byId('make-agent').hidden = true
  view.enter('idle', 'Making an Agent…')
  try {
    await makeFirstAgent(key)
    await useKey(key)
  } catch (error) {
    fail(error)
  }
})
byId('say-form').addEventListener('submit', (event) => {
  event.preventDefault()
  const text = byId('say').value.trim()
  if (text === '' || session === undefined) return
  session.send({ event: 'text.send', id: crypto.randomUUID(), text })
  byId('say').value = ''
})
byId('hold').addEventListener('pointerdown', hold)
for (const name of ['pointerup', 'pointerleave']) byId('hold').addEventListener(name, () => endTalk())
byId('hold').addEventListener('pointercancel', () => endTalk('ptt.cancel'))

const isTyping = ({ target }) => target instanceof HTMLInputElement || target instanceof HTMLSelectElement
/** From Start on, so that a key that comes a moment early does not press the focused button, which hangs up. */
const isTalkKey = (event) =>
  event.code === 'Space' &&
  !isTyping(event) &&
  byId('mode').value === 'push-to-talk' &&
  ['connecting', 'live'].includes(document.body.dataset.state)

document.addEventListener('keydown', (event) => {
  if (isTalkKey(event)) {
    event.preventDefault()
    hold()
  }
  if (event.key === 'Escape') session?.send({ event: 'interrupt' })
})
document.addEventListener('keyup', (event) => {
  // Firefox presses the focused button when the key is released.
  if (isTalkKey(event)) event.preventDefault()
  if (event.code === 'Space') endTalk()
})
// A key that is released in another window is not seen here.
addEventListener('blur', () => endTalk())
addEventListener('pagehide', () => session?.close())

view.enter('locked')
showAgents([])
keyForm.begin()
