/**
 * When turns end: silence alone, the last words, and the sound of the voice. Sentences with a pause inside are spoken by the
 * platform's own voices. A turn that ends within its pause is a false cut; the time from the last sound to the end of the
 * turn is the user's wait.
 */
import { resolve } from 'node:path'
import { commandLine } from '../../../bench/harness/command-line.mjs'
import { giveUp, needBuild } from '../../../bench/harness/installed.mjs'
import { atMost, finish, goal, say, table } from '../../../bench/harness/report.mjs'
import { seededRandom } from '../../../bench/harness/seeded-order.mjs'
import { startStandalone } from '../../../bench/harness/standalone.mjs'
import { median, percentile } from '../../../bench/harness/statistics.mjs'
import { inTemporaryFolder } from '../../../bench/harness/temporary-folder.mjs'
import { eventually } from '../../../bench/harness/waiting.mjs'
import { sentences } from './sentences.mjs'
import { speakTurn } from './spoken-turns.mjs'
import { simulateTurn } from './turn-simulation.mjs'

const options = commandLine('the end of turns: false cuts and waiting, by silence, by words and by sound', {
  'models-dir': {
    type: 'string',
    default: '.parlance/models',
    help: 'the installed models: one of the kind turn, and voices',
  },
  sentences: { type: 'number', default: 32, help: 'of each language, at most 32' },
  voices: { type: 'number', default: 3, help: 'of each language at most, by different engines' },
  'answer-ms': { type: 'number', default: 100, help: 'after which the model has answered, on the clock of the turns' },
  seed: { type: 'number', default: 1, help: 'of the durations of the pauses' },
})

needBuild('standalone')
const { readModelsFolder } = await import('../../../libs/models/dist/index.js')
const { openTurnDetector } = await import('@parlance/engine-smart-turn')
const { createTurnReducer } = await import('../../../services/sessions/dist/conversation/turn/turn-reducer.js')
const { initialTurnState } = await import('../../../services/sessions/dist/conversation/turn/turn-state.js')
const { openSileroVoiceDetector } = await import(
  '../../../services/sessions/dist/turn-detector/voice-activity/voice-detector.js'
)
const modules = { createTurnReducer, initialTurnState, openSileroVoiceDetector }

const modelsDir = resolve(options['models-dir'])
const folders = await readModelsFolder(modelsDir).catch(() => giveUp(`There is no models folder ${modelsDir}.`))
const models = folders.flatMap(({ purpose, reading }) => ('model' in reading ? [{ purpose, ...reading.model }] : []))
const turnModel = models.find(({ kind }) => kind === 'turn')
if (turnModel === undefined) {
  giveUp(`There is no model of the kind turn in ${modelsDir}. Run: npx parlance models install smart-turn-v3.2`)
}

const shortestPauseMs = 400
const longestPauseMs = 1800
const limits = (minMs, maxMs) => ({
  endpointing_min_ms: minMs,
  endpointing_max_ms: maxMs,
  interruptions_enabled: true,
  interruption_min_ms: 200,
  false_interruption_timeout_ms: 2000,
  preemptive: true,
})
const defaults = limits(300, 3000)
const ways = [
  { name: 'silence alone, 300 ms', turnConfig: limits(300, 300) },
  { name: 'silence alone, 1,000 ms', turnConfig: limits(1000, 1000) },
  { name: 'silence alone, 2,000 ms', turnConfig: limits(2000, 2000) },
  { name: 'words, 300 to 3,000 ms', turnConfig: defaults, hasText: true },
  { name: 'sound, 300 to 3,000 ms', turnConfig: defaults, hasSound: true },
  { name: 'words and sound, 300 to 3,000 ms', turnConfig: defaults, hasText: true, hasSound: true },
]

const [silence, , , , sound, both] = ways

const speaks = (voice, language) => voice.languages.some((tag) => tag.split('-')[0] === language)
const engineOf = (voice) => voice.variants[0].id

const voicesOf = async ({ url, headers }) => {
  const installed = models.filter(({ purpose }) => purpose === 'speech').map(({ name }) => name)
  return eventually(
    'the installed voices',
    async () => {
      const { voices } = await (await fetch(`${url}/v1/voices?limit=100`, { headers })).json()
      const isThere = (name) => voices.some((voice) => voice.variants.some(({ id }) => id === name))
      return installed.every(isThere) && voices
    },
    { withinMs: 120_000 },
  )
}

const speakAll = async (installation) => {
  const random = seededRandom(options.seed)
  const voices = await voicesOf(installation)
  const turns = []
  for (const [language, all] of Object.entries(sentences)) {
    const own = voices.filter((voice) => speaks(voice, language))
    const chosen = own.filter((voice, at) => own.findIndex((one) => engineOf(one) === engineOf(voice)) === at)
    for (const voice of chosen.slice(0, options.voices)) {
      say(`${voice.display_name} (${engineOf(voice)}) speaks ${language} ...`)
      for (const sentence of all.slice(0, options.sentences)) {
        const pauseMs = shortestPauseMs + random() * (longestPauseMs - shortestPauseMs)
        const turn = await speakTurn(installation, { voice, language, sentence, pauseMs, random })
        turns.push({ ...turn, language, voice: engineOf(voice), sentence })
      }
    }
  }
  return turns
}

const measure = async (turns) => {
  const { detect } = await openTurnDetector(turnModel.file)
  const cpuMs = []
  /** The results for each turn, for the detailed figures. */
  const asked = []
  const timed = (turn, way) => async (samples, nowMs) => {
    const before = process.cpuUsage()
    const probability = await detect(samples)
    const { user, system } = process.cpuUsage(before)
    cpuMs.push((user + system) / 1000)
    const isWithin = nowMs < turn.resumesMs
    asked.push({ way, voice: turn.voice, language: turn.language, sentence: turn.sentence, isWithin, probability })
    return probability
  }
  const outcomes = []
  for (const way of ways) {
    say(`${way.name} ...`)
    for (const turn of turns) {
      const { language, voice, resumesMs, endMs } = turn
      const ends = await simulateTurn(turn, {
        modules,
        language,
        turnConfig: way.turnConfig,
        hasText: way.hasText === true,
        detect: way.hasSound === true ? timed(turn, way.name) : undefined,
        answerMs: options['answer-ms'],
      })
      const isCut = ends.some(({ atMs }) => atMs < resumesMs)
      const last = ends.at(-1)
      outcomes.push({ way: way.name, language, voice, isCut, waitMs: last.atMs - endMs, decidedBy: last.decidedBy })
    }
  }
  return { outcomes, asked, cpuMs: median(cpuMs) }
}

const summaryOf = (outcomes) => {
  const waits = outcomes.map(({ waitMs }) => waitMs)
  return {
    turns: outcomes.length,
    falseCuts: outcomes.filter(({ isCut }) => isCut).length / outcomes.length,
    waitMs: {
      mean: waits.reduce((total, ms) => total + ms, 0) / waits.length,
      p50: median(waits),
      p95: percentile(waits, 0.95),
    },
  }
}

const turns = await inTemporaryFolder(async (folder) => {
  const installation = await startStandalone({ folder, env: { MODELS_DIR: modelsDir } })
  try {
    return await speakAll(installation)
  } finally {
    await installation.stop()
  }
})
const { outcomes, asked, cpuMs } = await measure(turns)

const groups = [...new Set(turns.map(({ language, voice }) => `${language}, ${voice}`))]
const results = ways.flatMap(({ name }) =>
  ['all', ...groups].map((group) => {
    const isOf = (outcome) => group === 'all' || group === `${outcome.language}, ${outcome.voice}`
    return { way: name, group, ...summaryOf(outcomes.filter((outcome) => outcome.way === name && isOf(outcome))) }
  }),
)
const rows = results.map(({ way, group, turns, falseCuts, waitMs }) => [
  group === 'all' ? way : `  ${group}`,
  turns,
  `${(falseCuts * 100).toFixed(0)} %`,
  ...[waitMs.mean, waitMs.p50, waitMs.p95].map((ms) => `${ms.toFixed(0)} ms`),
])
const rightOf = (isWithin) => {
  const answers = asked.filter((answer) => answer.way === sound.name && answer.isWithin === isWithin)
  return answers.filter(({ probability }) => probability >= 0.5 !== isWithin).length / answers.length
}
const text = [
  table(['', 'turns', 'false cuts', 'waits, mean', 'p50', 'p95'], rows),
  `For pauses the model is right in ${(rightOf(true) * 100).toFixed(0)} %, for ends in ${(rightOf(false) * 100).toFixed(0)} %. A judgment takes ${cpuMs.toFixed(0)} ms of a core.`,
].join('\n\n')
const overall = (way) => results.find((result) => result.way === way.name && result.group === 'all')
const cutsOf = (way) => overall(way).falseCuts / overall(silence).falseCuts
const waitOf = (way) => overall(way).waitMs.p50 - overall(silence).waitMs.p50
const goals = [
  goal('false cuts by sound, of those by silence alone', cutsOf(sound), ' ×', atMost(0.7)),
  goal('false cuts by words and sound, the same', cutsOf(both), ' ×', atMost(0.3)),
  goal('more waiting by words and sound, p50', waitOf(both), ' ms', atMost(100)),
]
finish({ json: options.json, assert: options.assert, text, figures: { results, asked, cpuMs }, goals })
