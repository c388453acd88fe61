/**
 * Looks for memory leaks of an engine's process: its resident memory over many short texts, in every voice,
 * some of them cancelled partway.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { commandLine } from '../../../bench/harness/command-line.mjs'
import { needBuild } from '../../../bench/harness/installed.mjs'
import { atMost, finish, goal, say, table } from '../../../bench/harness/report.mjs'
import { eventually } from '../../../bench/harness/waiting.mjs'

const options = commandLine("an engine process's memory over many utterances", {
  utterances: { type: 'number', default: 10_000, help: 'of each engine' },
  engines: { type: 'string', default: 'native,wasm,flite,sherpa', help: 'which' },
})

needBuild('tts')
const { openEngineSide } = await import('../../../bench/harness/engine-sides.mjs')
const { openEspeakEngines } = await import('../../../services/tts/dist/engine/espeak-engine.js')
const { openFliteEngines } = await import('../../../services/tts/dist/engine/flite-engine.js')
const { openSherpaOnnxEngines, sherpaOnnxEngineConfig } = await import(
  '../../../services/tts/dist/engine/sherpa-onnx-engine.js'
)
const { findEspeakData, writeToneModel } = await import('@parlance/testing')

const models = mkdtempSync(join(tmpdir(), 'parlance-bench-models-'))
process.once('exit', () => rmSync(models, { recursive: true, force: true }))

const openEspeak = (implementation) => (context) =>
  openEspeakEngines('espeak-ng', { type: 'espeak-ng', implementation, processes: 1 }, context)

/** A model that makes tones for the phonemes of eSpeak NG, since only the code around a model is measured. */
const openSherpa = async (context) => {
  await writeToneModel(join(models, 'tones'), { shape: 'piper', espeakData: findEspeakData(), work: 0 })
  const config = sherpaOnnxEngineConfig.parse({ type: 'sherpa-onnx', models_dir: models, threads: 1 })
  const [engine] = await openSherpaOnnxEngines('local', config, context)
  await eventually('a loaded model', () => engine.healthy())
  return [engine]
}

const engines = {
  native: ['libespeak-ng', openEspeak('native')],
  wasm: ['WebAssembly', openEspeak('wasm')],
  sherpa: ['sherpa-onnx', openSherpa],
  flite: ['flite', (context) => openFliteEngines('flite', { type: 'flite', processes: 1 }, context)],
}

/** By then everything that is cached on purpose has been loaded: dictionaries, compiled code. */
const settledAfter = options.utterances / 10

const memoryOf = async ([name, open]) => {
  const side = await openEngineSide(name, open)
  const { voices } = side.engine
  const residentMb = []
  try {
    for (let turn = 0; turn < options.utterances; turn++) {
      const voice = voices[turn % voices.length]
      const utterance = {
        text: turn % 50 === 0 ? `Number ${turn}, ${'and so on, '.repeat(20)}` : `Number ${turn}.`,
        voiceId: voice.id,
        variant: voice.variants[0].id,
        language: null,
        speed: 1,
        volume: 1,
      }
      if (turn % 50 === 0) await side.cancelMs(utterance, 500)
      else await side.speak(utterance)
      if (turn >= settledAfter && turn % 100 === 0) residentMb.push(side.residentMb())
    }
  } finally {
    await side.close()
  }
  // The garbage collector makes it go up and down, so the highest of the first and of the last tenth are compared.
  const tenth = Math.ceil(residentMb.length / 10)
  return { name, firstMb: Math.max(...residentMb.slice(0, tenth)), lastMb: Math.max(...residentMb.slice(-tenth)) }
}

const figures = []
for (const key of options.engines.split(',')) {
  say(`${engines[key][0]} ...`)
  figures.push(await memoryOf(engines[key]))
}

const text = table(
  ['resident MB', `after ${settledAfter}`, `after ${options.utterances}`],
  figures.map(({ name, firstMb, lastMb }) => [name, firstMb.toFixed(1), lastMb.toFixed(1)]),
)
const goals = figures.map(({ name, firstMb, lastMb }) =>
  goal(`${name}, growth`, lastMb / firstMb, ' times', atMost(1.1)),
)
const { json, assert, utterances } = options
finish({ json, assert, text, figures: { utterances, engines: figures }, goals })
