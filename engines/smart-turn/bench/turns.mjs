/**
 * When turns end: silence alone, the last words, and the sound of the voice. Questions, statements, lists, numbers and hesitations,
 * each with a pause inside, are spoken by the platform's own voices, so all speech is synthetic. A turn that ends within its pause is a
 * false cut; the time from the last sound to the end of the turn is the user's wait.
 */
import { resolve } from 'node:path'
import { commandLine } from '../../../bench/harness/command-line.mjs'
import { giveUp, needBuild } from '../../../bench/harness/installed.mjs'
import { atMost, finish, goal, say, table } from '../../../bench/harness/report.mjs'
import { seededRandom } from '../../../bench/harness/seeded-order.mjs'
import { startStandalone } from '../../../bench/harness/standalone.mjs'
import { mean, median, percentile } from '../../../bench/harness/statistics.mjs'
import { inTemporaryFolder } from '../../../bench/harness/temporary-folder.mjs'
import { eventually } from '../../../bench/harness/waiting.mjs'
import { sentences } from './sentences.mjs'
import { speakTurn } from './spoken-turns.mjs'
import { simulateTurn, voiceOf } from './turn-simulation.mjs'

const options = commandLine(
  'the end of turns, of synthetic speech: false cuts and waiting, by silence, by words and by sound',
  {
    'models-dir': {
      type: 'string',
      default: '.parlance/models',
      help: 'the installed models: one of the kind turn, and voices',
    },
    voices: { type: 'number', default: 3, help: 'of each language at most, by different engines' },
    'answer-ms': {
      type: 'number',
      default: 100,
      help: 'after which the model has answered, on the clock of the turns',
    },
    seed: { type: 'number', default: 1, help: 'of the durations of the pauses' },
  },
)

needBuild('standalone')
const { readModelsFolder } = await import('../../../libs/models/dist/index.js')
const { openTurnDetector } = await import('@parlance/engine-smart-turn')
const { createTurnReducer } = await import('../../../services/sessions/dist/conversation/turn/turn-reducer.js')
const { initialTurnState } = await import('../../../services/sessions/dist/conversation/turn/turn-state.js')
const { openSileroVoiceDetector } = await import(
  '../../../services/sessions/dist/turn-detector/voice-activity/voice-detector.js'
)
const modules = { createTurnReducer, initialTurnState }

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

const both = ways.at(-1)

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
      for (const [kind, sentence] of Object.entries(all).flatMap(([kind, some]) => some.map((one) => [kind, one]))) {
        const pauseMs = shortestPauseMs + random() * (longestPauseMs - shortestPauseMs)
        const turn = await speakTurn(installation, { voice, language, sentence, pauseMs, random })
        const heard = voiceOf(turn.samples, openSileroVoiceDetector())
        turns.push({ ...turn, voice: heard, language, engine: engineOf(voice), kind, sentence })
      }
    }
  }
  return turns
}

const measure = async (turns) => {
  const { detect } = await openTurnDetector(turnModel.file)
  const cpuMs = []
  /** By turn, its begin and the time: ways ask about the same pauses. */
  const answers = new Map()
  const answerOf = (turn) => async (beganMs, nowMs) => {
    const key = [turns.indexOf(turn), beganMs, nowMs].join()
    if (!answers.has(key)) {
      const before = process.cpuUsage()
      const probability = await detect(turn.samples.subarray(beganMs * 16, nowMs * 16))
      const { user, system } = process.cpuUsage(before)
      cpuMs.push((user + system) / 1000)
      const { engine, language, kind, sentence } = turn
      answers.set(key, { engine, language, kind, sentence, isWithin: nowMs < turn.resumesMs, probability })
    }
    return answers.get(key).probability
  }
  const outcomes = []
  for (const way of ways) {
    say(`${way.name} ...`)
    for (const turn of turns) {
      const { language, engine, kind, resumesMs, endMs } = turn
      const ends = await simulateTurn(turn, {
        modules,
        language,
        turnConfig: way.turnConfig,
        hasText: way.hasText === true,
        detect: way.hasSound === true ? answerOf(turn) : undefined,
        answerMs: options['answer-ms'],
      })
      const isCut = ends.some(({ atMs }) => atMs < resumesMs)
      const { atMs, pausedAtMs, decidedBy } = ends.at(-1)
      const [waitMs, datedLateMs] = [atMs - endMs, pausedAtMs - endMs]
      outcomes.push({ way: way.name, language, engine, kind, isCut, waitMs, datedLateMs, decidedBy })
    }
  }
  return { outcomes, asked: [...answers.values()], cpuMs: median(cpuMs) }
}

const summaryOf = (outcomes) => {
  const waits = outcomes.map(({ waitMs }) => waitMs)
  return {
    turns: outcomes.length,
    falseCuts: outcomes.filter(({ isCut }) => isCut).length / outcomes.length,
    datedLateMs: median(outcomes.map(({ datedLateMs }) => datedLateMs)),
    waitMs: { mean: mean(waits), p50: median(waits), p95: percentile(waits, 0.95) },
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

/** All turns, and those of each kind and of each voice. */
const groups = { all: () => true }
for (const { kind, language, engine } of turns) {
  groups[kind] = (outcome) => outcome.kind === kind
  groups[`${language}, ${engine}`] = (outcome) => outcome.language === language && outcome.engine === engine
}
const results = ways.flatMap(({ name }) => {
  const own = outcomes.filter(({ way }) => way === name)
  return Object.entries(groups).map(([group, isOf]) => ({ way: name, group, ...summaryOf(own.filter(isOf)) }))
})
const rows = results.map(({ way, group, turns, falseCuts, datedLateMs, waitMs }) => [
  group === 'all' ? way : `  ${group}`,
  turns,
  `${(falseCuts * 100).toFixed(0)} %`,
  `${datedLateMs.toFixed(0)} ms`,
  ...[waitMs.mean, waitMs.p50, waitMs.p95].map((ms) => `${ms.toFixed(0)} ms`),
])
const rightOf = (isWithin) => {
  const answers = asked.filter((answer) => answer.isWithin === isWithin)
  return answers.filter(({ probability }) => probability >= 0.5 !== isWithin).length / answers.length
}
const text = [
  table(['', 'turns', 'false cuts', 'end dated late', 'waits, mean', 'p50', 'p95'], rows),
  `For pauses the model is right in ${(rightOf(true) * 100).toFixed(0)} %, for ends in ${(rightOf(false) * 100).toFixed(0)} %. A judgment takes ${cpuMs.toFixed(0)} ms of a core.`,
].join('\n\n')
const { falseCuts, waitMs } = results.find(({ way, group }) => way === both.name && group === 'all')
const goals = [
  goal('false cuts by words and sound', falseCuts * 100, ' %', atMost(10)),
  goal('wait by words and sound, p50', waitMs.p50, ' ms', atMost(350)),
]
finish({ json: options.json, assert: options.assert, text, figures: { results, asked, cpuMs }, goals })
