/** The texts of the page in each of its states: locked, idle, connecting, live. `data-state` of the body names the state. */

const byId = (id) => document.getElementById(id)

const put = (id, text) => {
  byId(id).hidden = text === ''
  byId(id).textContent = text
}

const doings = { listening: 'Listening', thinking: 'Thinking', speaking: 'Speaking' }

const advice = {
  insufficient_credit: 'This workspace has no credit left. The operator of this installation can grant more.',
  capability_disabled: 'This workspace may not use Agents.',
  microphone_denied:
    'The microphone is blocked. Allow it in the browser’s settings for this page and press Start again, or choose “Type only”.',
  microphone_not_found: 'No microphone was found. Connect one and press Start again, or choose “Type only”.',
  microphone_unavailable:
    'The microphone cannot be used now. Close other programs that use it and press Start again, or choose “Type only”.',
  microphone_insecure: 'Browsers give the microphone only to pages on https or localhost. Choose “Type only” here.',
}

const ends = {
  user_disconnected: 'You hung up.',
  api_ended: 'You hung up.',
  agent_ended: 'The Agent hung up.',
  silence_timeout: 'There was silence for too long.',
  max_duration: 'The conversation reached its longest duration.',
  connection_lost: 'The connection was lost.',
  ice_failed: 'No connection for audio could be made. A firewall may block it.',
  insufficient_credit: 'The workspace has no credit left.',
  drained: 'The server is being restarted. Start again.',
  llm_error: 'The language model failed.',
  stt_error: 'Speech recognition failed.',
  tts_error: 'Speech synthesis failed.',
  internal_error: 'Something went wrong on the server.',
}

/** By the name of the figure in the event `metrics`, where it is shown. */
const figures = {
  voice_to_voice_ms: 'voice-to-voice',
  endpointing_ms: 'endpointing',
  stt_ms: 'recognition',
  llm_ttft_ms: 'first-text',
  tts_ttfa_ms: 'first-audio',
}

export const createView = () => {
  const { body } = document
  let mode = 'automatic'

  const enter = (state, doing = '') => {
    const focused = document.activeElement
    const live = state === 'live'
    const busy = live || state === 'connecting'
    body.dataset.state = state
    byId('doing').textContent = state === 'locked' ? 'Enter an API key to begin' : doing
    byId('start').hidden = busy
    byId('hang-up').hidden = !busy
    byId('hold').hidden = !live || mode !== 'push-to-talk'
    byId('mute').hidden = !live || mode !== 'automatic'
    byId('interrupt').hidden = !live
    for (const id of ['say', 'send']) byId(id).disabled = !live
    byId('mode').disabled = busy
    // The focused button may be hidden now: the focus goes to the one in its place.
    if (busy && focused === byId('start')) byId('hang-up').focus()
    if (live && mode === 'push-to-talk') byId('hold').focus()
    if (!busy && (focused === byId('hang-up') || focused === byId('hold'))) byId('start').focus()
    if (live && mode === 'text') byId('say').focus()
  }

  return {
    enter,
    connecting(chosen) {
      mode = chosen
      put('problem', '')
      put('outcome', '')
      for (const id of Object.values(figures)) byId(id).textContent = '–'
      enter('connecting', mode === 'text' ? 'Connecting…' : 'Connecting. Allow the microphone if the browser asks.')
    },
    agentIs(state) {
      body.dataset.agent = state
      byId('doing').textContent = doings[state]
    },
    userSpeaks() {
      byId('doing').textContent = 'Hearing you'
    },
    notRecognized() {
      byId('doing').textContent = 'That was not understood. Say it again.'
    },
    measured(metrics) {
      for (const [name, id] of Object.entries(figures)) {
        const ms = metrics[name]
        byId(id).textContent = ms === null ? '–' : `${Math.round(ms).toLocaleString('en')} ms`
      }
    },
    failed: (error) => put('problem', advice[error.code] ?? error.detail ?? error.message),
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
