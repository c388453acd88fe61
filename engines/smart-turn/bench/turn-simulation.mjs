/**
 * Plays a turn to the voice detector and the turn reducer of conversations, on a simulated clock, as the microphone of a user
 * would.
 */
const frameMs = 20
const frameSamples = 320
/** How long a streaming recognizer takes to write a word. */
const wordLagMs = 300
/** How long a recognizer takes to write the text so far at a pause. */
const previewMs = 100

const plain = (word) => word.toLowerCase().replace(/[^\p{L}\p{M}\p{N}'’-]/gu, '')

/** The events of the voice detector, by the time at which each is noticed. */
export const voiceOf = (samples, detector) => {
  const changes = new Map()
  let hasVoice = false
  for (let at = 0; at + frameSamples <= samples.length; at += frameSamples) {
    const on = detector.detect(samples.subarray(at, at + frameSamples))
    if (on !== hasVoice) changes.set(at / 16 + frameMs, { event: 'voice', on, agoMs: detector.changedAgoMs() })
    hasVoice = on
  }
  return changes
}

/**
 * `detect` returns the probability that the turn so far is complete; undefined for no detector. Returns when utterances ended,
 * since when the user was taken to be silent, and what decided each.
 */
export const simulateTurn = async (turn, { modules, language, turnConfig, hasText, detect, answerMs }) => {
  const { createTurnReducer, initialTurnState } = modules
  const reduce = createTurnReducer({
    inputMode: 'automatic',
    language,
    turnConfig,
    firstMessageInterruptible: true,
    silenceTimeoutMs: 600_000,
    detectsTurns: detect !== undefined,
  })
  const ends = []
  const answers = []
  let state = initialTurnState
  let beganMs = 0
  let partial = ''

  const take = async (event, nowMs) => {
    const next = reduce(state, event, nowMs)
    state = next.state
    for (const effect of next.effects) {
      if (effect.effect === 'recognition.begin') {
        beganMs = Math.max(0, nowMs - 400)
        partial = ''
      } else if (effect.effect === 'recognition.finish') {
        ends.push({ atMs: nowMs, decidedBy: effect.decidedBy, pausedAtMs: nowMs - effect.endpointingMs })
        await take({ event: 'final', utterance: effect.utterance, text: '' }, nowMs)
      } else if (effect.effect === 'turn.detect') {
        const { utterance, pause } = effect
        const completeProbability = await detect(beganMs, nowMs)
        answers.push({
          atMs: nowMs + answerMs,
          event: { event: 'turn.detected', utterance, pause, completeProbability },
        })
      } else if (effect.effect === 'recognition.preview') {
        const { utterance, pause } = effect
        const text = hasText ? textUntil(nowMs) : null
        partial = text ?? ''
        answers.push({ atMs: nowMs + previewMs, event: { event: 'previewed', utterance, pause, text } })
      }
    }
  }
  const textUntil = (untilMs) =>
    turn.words
      .filter(({ endMs }) => endMs > beganMs && endMs <= untilMs)
      .map((word) => plain(word.text))
      .join(' ')
  const takeWords = async (nowMs) => {
    const utterance = state.user.utterance
    if (utterance === null) return
    const text = textUntil(nowMs - wordLagMs)
    if (text.length <= partial.length) return
    partial = text
    await take({ event: 'partial', utterance: utterance.number, text }, nowMs)
  }

  for (let nowMs = frameMs; nowMs * 16 <= turn.samples.length; nowMs += frameMs) {
    answers.sort((one, other) => one.atMs - other.atMs)
    while (answers.length > 0 && answers[0].atMs <= nowMs) await take(answers[0].event, answers.shift().atMs)
    while (state.dueMs !== null && state.dueMs <= nowMs) await take({ event: 'time' }, state.dueMs)
    if (hasText) await takeWords(nowMs)
    const change = turn.voice.get(nowMs)
    if (change !== undefined) await take(change, nowMs)
  }
  return ends
}
