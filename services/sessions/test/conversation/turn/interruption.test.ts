/**
 * Forty overlaps with the agent's speech, from their sound to the decision: speech of flite and generated noise, the real voice
 * detector, and the turn reducer in virtual time. What a recognizer returns for each sound is scripted: the words of a speech,
 * also of one that is far away, and nothing for noise.
 */
import { agentConfigSchema } from '@parlance/contracts'
import { describeWithPrograms } from '@parlance/testing'
import { isBackChannel } from '../../../src/conversation/turn/back-channels.js'
import { createTurnReducer } from '../../../src/conversation/turn/turn-reducer.js'
import { initialTurnState, type TurnEvent, type TurnState } from '../../../src/conversation/turn/turn-state.js'
import { createUserAudio } from '../../../src/conversation/user/user-audio.js'
import type { Recognizer } from '../../../src/stt/recognizer.js'
import { openSileroVoiceDetector } from '../../../src/turn-detector/voice-activity/voice-detector.js'
import { randomFrom } from '../../media/random-from.js'
import { framesOf, spoken } from '../../spoken.js'

test.each([
  ['en', ['Mhm.', 'Mm-hmm.', 'Uh-huh.', 'Hmm', 'right', 'Okay, yeah.', 'I see.', 'Oh, got it!', "That's right."]],
  ['de-DE', ['Mhm.', 'Genau.', 'Ja, ja.', 'Ach so.', 'Ähm', 'Alles klar!']],
  ['fr', ["D'accord.", 'Oui, oui.', 'Ah bon ?', 'Hmm, je vois.']],
  ['es', ['Vale.', 'Claro que sí.', 'Ajá.', 'Sí, sí.']],
  ['pl', ['Mhm.', 'Hmm', 'Oh.']],
])('back-channels of the language %s are no words', (language, texts) => {
  expect(texts.filter((text) => !isBackChannel(text, language))).toEqual([])
})

test.each([
  [
    'en',
    ['', '.', 'Stop.', 'Wait.', 'No.', 'Right, but why?', 'Okay stop', 'Yeah I have a question.', 'What?', 'ahoy'],
  ],
  ['de-DE', ['Halt.', 'Nein.', 'Moment mal.', 'Ja, aber', 'Genau das nicht.']],
  ['fr', ['Non.', 'Attendez.', 'Oui, mais']],
  ['es', ['No.', 'Espera.', 'Sí, pero']],
  ['pl', ['Tak.', 'Stop.']],
])('words of the language %s are no back-channels', (language, texts) => {
  expect(texts.filter((text) => isBackChannel(text, language))).toEqual([])
})

type Sound = (random: () => number) => Promise<Int16Array>
interface Overlap {
  /** Its kind, and after a colon which of that kind it is. */
  readonly name: string
  readonly sound: Sound
  readonly text: string
  readonly interrupts: boolean
}

const scaled = (samples: Int16Array, db: number): Int16Array => samples.map((sample) => sample * 10 ** (db / 20))

const voice =
  (text: string, { speaker = 0, db = 0 } = {}): Sound =>
  async () =>
    scaled(await spoken(text, speaker), db)

/** Bursts of noise of 16 kHz through a low-pass filter, each with a fast attack and a decay. */
const bursts =
  (count: number, decayMs: number, smoothing: number): Sound =>
  async (random) => {
    const samples = new Int16Array(16 * (400 + count * 350))
    let low = 0
    for (const [at] of samples.entries()) {
      const intoMs = (at / 16 - 200) % 350
      const gain = at / 16 < 200 || at / 16 > 200 + count * 350 ? 0 : Math.exp(-intoMs / decayMs)
      low += smoothing * (random() * 2 - 1 - low)
      samples[at] = (12_000 / Math.sqrt(smoothing)) * gain * low
    }
    return samples
  }

const steadyNoise =
  (db: number): Sound =>
  async (random) =>
    Int16Array.from({ length: 32_000 }, () => (random() * 2 - 1) * 5000 * 10 ** (db / 20))

/** Several persons in a room, each saying something else. */
const babble =
  (texts: readonly string[]): Sound =>
  async () => {
    const voices = await Promise.all(texts.map((text, index) => spoken(text, index % 4)))
    const mixed = new Float32Array(Math.max(...voices.map(({ length }) => length)))
    for (const samples of voices) for (const [at, sample] of samples.entries()) mixed[at] = mixed[at]! + sample
    const gain = 10 ** (-10 / 20) / Math.sqrt(voices.length)
    return Int16Array.from(mixed, (sample) => Math.max(-32_768, Math.min(32_767, sample * gain)))
  }

const said = [
  'the trains to the north are late again',
  'we had soup and bread for dinner',
  'they sold the old house last year',
]
const saidElsewhere = [
  'the minister spoke about taxes today',
  'and now the weather for the weekend',
  'stop it and give me the keys',
]

const overlaps: readonly Overlap[] = [
  ...[
    'mm hmm',
    'uh huh',
    'right',
    'okay',
    'yeah',
    'I see',
    'oh really',
    'sure',
    'got it',
    'okay right',
    'wow',
    'yes',
  ].map((text) => ({ name: `back-channel: ${text}`, sound: voice(text), text, interrupts: false })),
  ...[1, 2, 3, 2].map((count, index) => ({
    name: `cough: ${index + 1}`,
    sound: bursts(count, 60 + 20 * index, 0.3),
    text: '',
    interrupts: false,
  })),
  ...[15, 40].map((decayMs) => ({
    name: `door: ${decayMs} ms`,
    sound: bursts(1, decayMs, 0.03),
    text: '',
    interrupts: false,
  })),
  ...[0, 1].map((turn) => ({
    name: `babble: ${turn + 1}`,
    sound: babble([...said.slice(turn), ...said.slice(0, turn), ...saidElsewhere.slice(0, 1)]),
    text: said[turn]!,
    interrupts: false,
  })),
  ...saidElsewhere.map((text) => ({
    name: `television at 10 dB: ${text}`,
    sound: voice(text, { speaker: 1, db: -10 }),
    text,
    interrupts: false,
  })),
  ...said.map((text) => ({
    name: `voice at 20 dB: ${text}`,
    sound: voice(text, { speaker: 2, db: -20 }),
    text,
    interrupts: false,
  })),
  ...[-10, -20].map((db) => ({ name: `noise: ${db} dB`, sound: steadyNoise(db), text: '', interrupts: false })),
  ...[
    ...[
      'stop',
      'wait a moment',
      'no that is wrong',
      'hold on please',
      'what did you say',
      'excuse me',
      'actually I want two',
    ],
    ...[
      'can I ask something',
      'never mind',
      'that is enough thank you',
      'yeah but how much is it',
      'sorry one question',
    ],
  ].map((text, index) => ({
    name: `interruption: ${text}`,
    sound: voice(text, { db: [0, -3, 3][index % 3]! }),
    text,
    interrupts: true,
  })),
]

const config = agentConfigSchema.parse({
  slug: 'an-agent',
  display_name: 'An agent',
  voice_id: '0'.repeat(32),
  llm_provider: 'builtin',
  llm_model: 'builtin',
})

const silence = (ms: number): Int16Array => new Int16Array(16 * ms)

interface Before {
  readonly state: TurnState
  readonly nowMs: number
}

/** Hears sounds one after the other, in which this text is recognized. */
const listen = async (before: Before, sounds: readonly Int16Array[], text: string, hasPartials: boolean) => {
  const reduce = createTurnReducer({
    inputMode: 'automatic',
    language: 'en',
    firstMessageInterruptible: true,
    silenceTimeoutMs: 60_000,
    turnConfig: config.turn_config,
    detectsTurns: false,
  })
  let { state, nowMs } = before
  const happened: { effect: string; atMs: number }[] = []

  const recognizer: Recognizer = {
    name: 'scripted',
    languages: undefined,
    open: ({ onPartial }) => {
      let samples = 0
      return {
        push(frame) {
          samples += frame.length
          // Half a second after its beginning a word is known.
          if (hasPartials && samples > 16 * 900 && text !== '') onPartial(text)
        },
        preview: async () => text,
        finish: async () => ({ text, audioMs: samples / 16 }),
        cancel: () => {},
      }
    },
    close: async () => {},
  }

  const dispatch = (event: TurnEvent): void => {
    const step = reduce(state, event, nowMs)
    state = step.state
    for (const effect of step.effects) {
      happened.push({ effect: effect.effect, atMs: nowMs })
      if (effect.effect === 'recognition.begin') audio.begin(effect.utterance)
      if (effect.effect === 'recognition.finish') audio.finish(effect.utterance)
      if (effect.effect === 'recognition.cancel') audio.cancel(effect.utterance)
      if (effect.effect === 'recognition.preview') {
        const { utterance, pause } = effect
        void audio
          .preview(utterance)
          .then((heard) => dispatch({ event: 'previewed', utterance, pause, text: heard ?? null, ...level() }))
      }
    }
  }
  const audio = createUserAudio({
    inputMode: () => 'automatic',
    language: 'en',
    recognizer,
    voiceDetector: openSileroVoiceDetector(),
    turnDetector: undefined,
    onVoice: (on, agoMs) => dispatch({ event: 'voice', on, agoMs }),
    onPartial: (utterance, heard) => dispatch({ event: 'partial', utterance, text: heard, ...level() }),
    onEndOfTurn: () => {},
    onFinal: (utterance, heard) => dispatch({ event: 'final', utterance, text: heard, ...level() }),
    onFailed: (_utterance, error) => {
      throw error
    },
    onBroken: (error) => {
      throw error
    },
  })
  const level = () => ({ levelDb: audio.levelDb() })

  const hear = async (samples: Int16Array): Promise<void> => {
    for (const frame of framesOf(samples)) {
      nowMs += 20
      audio.push(frame)
      if (state.dueMs !== null && state.dueMs <= nowMs) dispatch({ event: 'time' })
      await new Promise(setImmediate)
    }
  }

  for (const samples of sounds) await hear(samples)
  audio.close()
  return { state, nowMs, happened }
}

/** A user has said a sentence at the usual level, and the agent speaks. */
const agentSpeaks = async (): Promise<Before> => {
  const sentence = 'what is the weather like today'
  const { state, nowMs } = await listen(
    { state: initialTurnState, nowMs: 0 },
    [await spoken(sentence), silence(1000)],
    sentence,
    true,
  )
  return { nowMs, state: { ...state, agent: { name: 'speaking', number: state.agentTurns, interruptible: 'always' } } }
}

const run = async (before: Before, { sound, text }: Overlap, random: () => number, hasPartials: boolean) => {
  const samples = await sound(random)
  const beganMs = before.nowMs + samples.findIndex((sample) => Math.abs(sample) > 500) / 16
  const { state, happened } = await listen(before, [samples, silence(2500)], text, hasPartials)
  const paused = happened.find(({ effect }) => effect === 'pause')
  return {
    interrupted: happened.some(({ effect }) => effect === 'interrupt'),
    isSpeaking: state.agent.name === 'speaking' && state.agent.number === before.state.agentTurns,
    pausedAfterMs: paused === undefined ? Number.POSITIVE_INFINITY : paused.atMs - beganMs,
  }
}

const kindOf = ({ name }: Overlap): string => name.split(':', 1)[0]!

/** How many of each kind interrupt, as the rows of a table. */
const rowsOf = (interrupting: ReadonlySet<string>): string =>
  [...new Set(overlaps.map(kindOf))]
    .map((kind) => {
      const all = overlaps.filter((overlap) => kindOf(overlap) === kind)
      return `| ${kind} | ${all.length} | ${all.filter(({ name }) => interrupting.has(name)).length} |\n`
    })
    .join('')

describeWithPrograms(['flite'], 'overlaps', () => {
  test.each([
    ['that reports partial texts', true],
    ['that knows the text only when it is asked', false],
  ])(
    'of forty, none that is an interruption is missed and at most one other interrupts, with a recognizer %s',
    async (how, hasPartials) => {
      const random = randomFrom(1)
      const before = await agentSpeaks()
      expect(before.state).toMatchObject({ user: { levelDb: expect.any(Number) } })
      expect(overlaps).toHaveLength(40)
      const interrupting = new Set<string>()
      const wrong: string[] = []
      const pausesMs: number[] = []
      for (const overlap of overlaps) {
        const { interrupted, isSpeaking, pausedAfterMs } = await run(before, overlap, random, hasPartials)
        if (interrupted) interrupting.add(overlap.name)
        if (interrupted !== overlap.interrupts) wrong.push(overlap.name)
        if (overlap.interrupts) pausesMs.push(pausedAfterMs)
        // The agent goes on after all that did not interrupt it.
        else if (!interrupted) expect([overlap.name, isSpeaking]).toEqual([overlap.name, true])
      }
      expect(wrong.filter((name) => name.startsWith('interruption'))).toEqual([])
      expect(wrong.length).toBeLessThanOrEqual(1)
      process.stdout.write(
        `| with a recognizer ${how} | overlaps | interrupt |\n| --- | --- | --- |\n${rowsOf(interrupting)}` +
          `wrong: ${wrong.join(', ') || 'none'}; paused after ${pausesMs.map(Math.round).join(', ')} ms\n`,
      )
      // Of the detector and the rules alone: the network and the playback come on top.
      expect(pausesMs.sort((a, b) => a - b)[6]).toBeLessThanOrEqual(110)
    },
  )
})
