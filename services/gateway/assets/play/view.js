/** The texts of the page in each of its states. `data-state` of the body names the state. */

const byId = (id) => document.getElementById(id)

const milliseconds = (ms) => `${Math.round(ms).toLocaleString('en')} ms`
const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`
const characters = (count) => `${count.toLocaleString('en')} ${count === 1 ? 'character' : 'characters'}`

const advice = {
  insufficient_credit: 'This workspace has no credit left. The operator of this installation can grant it some.',
  no_voices: 'There are no voices: no speech engine is running here. Reload this page once one is.',
  capability_disabled: 'This workspace may not use speech.',
}

const put = (id, text) => {
  const element = byId(id)
  element.hidden = text === ''
  element.textContent = text
}

export const createView = () => {
  const { body } = document
  const [speak, stop, field] = [byId('speak'), byId('stop'), byId('text')]

  const busyStates = new Set(['connecting', 'speaking'])

  const enter = (state, status = '') => {
    const focused = document.activeElement
    const busy = busyStates.has(state)
    body.dataset.state = state
    field.readOnly = busy
    speak.hidden = busy
    stop.hidden = !busy
    // The button that was pressed is gone: the keyboard goes on with the one in its place.
    if (busy && focused === speak) stop.focus()
    if (!busy && focused === stop) speak.focus()
    byId('status').textContent = status
    put('problem', '')
    put('remaining', '')
  }

  return {
    enter,

    failed({ code, message }) {
      enter('error')
      put('problem', advice[code] ?? message)
    },

    counted(count, most) {
      const tooMany = count - most
      byId('count').textContent =
        tooMany > 0
          ? `${characters(tooMany)} too many; at most ${most.toLocaleString('en')}`
          : `${count.toLocaleString('en')} of ${characters(most)}`
      byId('count').classList.toggle('too-many', tooMany > 0)
      field.setAttribute('aria-invalid', String(tooMany > 0))
    },

    figuresCleared() {
      for (const id of ['ttfa', 'duration', 'billed']) byId(id).textContent = '–'
      byId('ttfa-aside').textContent = 'from your click to the first sound'
      byId('duration-aside').textContent = 'played so far'
    },

    firstAudio: (ms) => put('ttfa', milliseconds(ms)),
    moved: (positionMs) => put('duration', seconds(positionMs)),

    done({ audio_duration_ms, characters_billed, ttfa_ms }) {
      enter('done', `Done: ${seconds(audio_duration_ms)} of speech, ${characters(characters_billed)} billed.`)
      put('duration', seconds(audio_duration_ms))
      put('billed', characters_billed.toLocaleString('en'))
      if (ttfa_ms !== null) byId('ttfa-aside').textContent = `from your click; the server took ${milliseconds(ttfa_ms)}`
      byId('duration-aside').textContent = 'of speech'
    },

    stopped({ remaining, playedMs, billed }) {
      const count = [...remaining].length
      enter('stopped', `Stopped after ${seconds(playedMs)}. ${characters(count)} not spoken${count > 0 ? ':' : '.'}`)
      put('remaining', remaining.trim())
      put('duration', seconds(playedMs))
      byId('duration-aside').textContent = 'played before it was stopped'
      if (billed !== undefined) put('billed', billed.toLocaleString('en'))
    },
  }
}
