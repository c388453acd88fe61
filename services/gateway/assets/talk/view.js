/** What the page says in each of its states, which `data-state` of the body names: locked, idle, connecting, live. */

const byId = (id) => document.getElementById(id)

const put = (id, text) => {
  byId(id).hidden = text === ''
  byId(id).textContent = text
}

const doings = { listening: 'It listens.', thinking: 'It thinks.', speaking: 'It speaks.' }

const advice = {
  insufficient_credit: 'This workspace has no credit left. Whoever runs this installation can grant it some.',
  capability_disabled: 'This workspace may not use Agents.',
}

const ends = {
  user_disconnected: 'You hung up.',
  api_ended: 'You hung up.',
  agent_ended: 'The Agent hung up.',
  silence_timeout: 'Nobody said anything for a while.',
  max_duration: 'The conversation was as long as it may be.',
  connection_lost: 'The connection was lost.',
  ice_failed: 'No connection for audio could be made. A firewall may be in the way.',
  insufficient_credit: 'The workspace has no credit left.',
  drained: 'The server is about to stop. Start again to be served by another.',
  llm_error: 'The language model failed.',
  stt_error: 'Speech could not be understood: the recogniser failed.',
  tts_error: 'Nothing could be said: the speech engines failed.',
  internal_error: 'Something went wrong on the server.',
}

export const createView = () => {
  const { body } = document
  let mode = 'automatic'

  const enter = (state, doing = '') => {
    const focused = document.activeElement
    const live = state === 'live'
    const busy = live || state === 'connecting'
    body.dataset.state = state
    byId('doing').textContent = doing
    byId('start').hidden = busy
    byId('hang-up').hidden = !busy
    byId('hold').hidden = !live || mode !== 'push-to-talk'
    byId('mute').hidden = !live || mode !== 'automatic'
    byId('interrupt').hidden = !live
    for (const id of ['say', 'send']) byId(id).disabled = !live
    byId('mode').disabled = busy
    // The button that was pressed is gone: the keyboard goes on with the one in its place.
    if (busy && focused === byId('start')) byId('hang-up').focus()
    if (!busy && focused === byId('hang-up')) byId('start').focus()
    if (live && mode === 'text') byId('say').focus()
  }

  return {
    enter,
    connecting(chosen) {
      mode = chosen
      put('problem', '')
      put('outcome', '')
      for (const id of ['voice-to-voice', 'first-text', 'first-audio']) byId(id).textContent = '–'
      enter('connecting', mode === 'text' ? 'Connecting…' : 'Asking for the microphone, and connecting…')
    },
    agentIs(state) {
      body.dataset.agent = state
      byId('doing').textContent = doings[state]
    },
    hears() {
      byId('doing').textContent = 'It hears you.'
    },
    measured({ voice_to_voice_ms, llm_ttft_ms, tts_ttfa_ms }) {
      const show = (id, ms) => {
        if (ms !== null) byId(id).textContent = `${Math.round(ms).toLocaleString('en')} ms`
      }
      show('voice-to-voice', voice_to_voice_ms)
      show('first-text', llm_ttft_ms)
      show('first-audio', tts_ttfa_ms)
    },
    told: (error) => put('problem', advice[error.code] ?? error.detail ?? error.message),
    ending({ reason, deadline_ms }) {
      const seconds = Math.round(deadline_ms / 1000)
      if (seconds > 0) put('outcome', `${ends[reason]} The conversation ends in ${seconds} s.`)
    },
    ended(reason) {
      enter('idle', 'The conversation is over.')
      put('outcome', ends[reason] ?? '')
    },
    kept({ duration_seconds, credit_used, transcript }) {
      const kept = `${duration_seconds.toFixed(0)} s, ${transcript.length} messages kept, ${credit_used} credit used.`
      put('outcome', `${byId('outcome').textContent} ${kept}`.trim())
    },
  }
}
