/**
 * The cost of an engine's process compared with the engine itself.
 *
 * All sides speak the same sentences, in turns, in one run: eSpeak NG called in this process, native and as WebAssembly,
 * and each through its child process and the code by which the service uses it; and flite through its process. Then long
 * texts are cancelled partway.
 */
import { commandLine } from '../../../bench/harness/command-line.mjs'
import { needBuild } from '../../../bench/harness/installed.mjs'
import { atLeast, atMost, finish, goal, say, table } from '../../../bench/harness/report.mjs'
import { newSeed, seededOrder } from '../../../bench/harness/seeded-order.mjs'
import { median, percentile, spread } from '../../../bench/harness/statistics.mjs'

const options = commandLine('an engine in its process, beside the engine alone', {
  rounds: { type: 'number', default: 8, help: 'turns of each side' },
  utterances: { type: 'number', default: 100, help: 'in each turn; flite speaks a tenth of them' },
  cancels: { type: 'number', default: 40, help: 'cancelled texts of each engine' },
  seed: { type: 'number', default: newSeed(), help: 'of the order, to repeat a run' },
})

needBuild('tts')
const { openBareNative, openBareWasm, openEngineSide } = await import('../../../bench/harness/engine-sides.mjs')
const { openEspeakEngines } = await import('../../../services/tts/dist/engine/espeak-engine.js')
const { openFliteEngines } = await import('../../../services/tts/dist/engine/flite-engine.js')
const { voices } = await import('../dist/voices.js')
const flite = await import('../../flite/dist/voices.js')

const sentences = [
  'Good morning, this is the front desk, what can I do for you?',
  'Your table for four is booked at half past seven on the 24th of May.',
  'One moment please. I am looking for the order that you placed last week.',
]

const utteranceOf = (turn, isFlite, text = sentences[turn % sentences.length]) => ({
  text,
  voiceId: (isFlite ? flite.voices : voices)[turn % 3].id,
  variant: isFlite ? 'flite' : 'standard',
  language: null,
  speed: 1,
  volume: 1,
})

const longText = `${sentences.join(' ')} `.repeat(10)

const openEspeak = (implementation) => (context) =>
  openEspeakEngines('espeak-ng', { type: 'espeak-ng', implementation, processes: 1 }, context)

say('starting ...')
const sides = {
  bareNative: await openBareNative(),
  native: await openEngineSide('libespeak-ng, its process', openEspeak('native')),
  bareWasm: await openBareWasm(),
  wasm: await openEngineSide('WebAssembly, its process', openEspeak('wasm')),
  flite: await openEngineSide('flite, its process', (context) =>
    openFliteEngines('flite', { type: 'flite', processes: 1 }, context),
  ),
}

const turnOf = async (side) => {
  const before = side.cpu()
  const firstMs = []
  let audioMs = 0
  const isFlite = side === sides.flite
  for (let turn = 0; turn < options.utterances; turn += isFlite ? 10 : 1) {
    const spoken = await side.speak(utteranceOf(isFlite ? turn / 10 : turn, isFlite))
    firstMs.push(spoken.firstMs)
    audioMs += spoken.audioMs
  }
  const after = side.cpu()
  return { firstMs, audioSeconds: audioMs / 1000, own: after.own - before.own, child: after.child - before.child }
}

try {
  for (const side of Object.values(sides)) {
    await turnOf(side)
    await side.warm?.()
  }
  const inOrder = seededOrder(options.seed)
  const turns = Object.fromEntries(Object.keys(sides).map((key) => [key, []]))
  for (let round = 1; round <= options.rounds; round++) {
    say(`round ${round} of ${options.rounds} ...`)
    for (const key of inOrder(Object.keys(sides))) turns[key].push(await turnOf(sides[key]))
  }

  say('cancelling long texts ...')
  const cancelMs = Object.fromEntries(Object.keys(sides).map((key) => [key, []]))
  for (let turn = 0; turn < options.cancels; turn++) {
    for (const [key, side] of Object.entries(sides)) {
      const utterance = utteranceOf(turn, side === sides.flite, longText)
      if (side.cancelMs !== undefined) cancelMs[key].push(await side.cancelMs(utterance, 200 + turn * 100))
    }
  }

  const sum = (values) => values.reduce((total, value) => total + value, 0)
  const figures = Object.fromEntries(
    Object.entries(turns).map(([key, of]) => {
      const through = sides[key].pid !== undefined
      const firstMs = of.flatMap((turn) => turn.firstMs)
      const audioSeconds = sum(of.map((turn) => turn.audioSeconds))
      const rates = of.map((turn) => turn.audioSeconds / (through ? turn.child : turn.own))
      return [
        key,
        {
          name: sides[key].name,
          firstMs: { median: median(firstMs), p95: percentile(firstMs, 0.95) },
          audioPerCpu: audioSeconds / sum(of.map((turn) => (through ? turn.child : turn.own))),
          audioPerCpuSpread: spread(rates),
          cancelMs: through ? { median: median(cancelMs[key]), p95: percentile(cancelMs[key], 0.95) } : null,
          /** The service's CPU time for passing the audio on, in seconds for an hour of audio. */
          parentCpuPerHour: through ? (3600 * sum(of.map((turn) => turn.own))) / audioSeconds : null,
        },
      ]
    }),
  )

  const text = table(
    ['', 'first audio ms', 'p95', 'audio-s per CPU-s', '', 'given up after ms', 'p95', "service's CPU-s per hour"],
    Object.values(figures).map(({ name, firstMs, audioPerCpu, audioPerCpuSpread, cancelMs, parentCpuPerHour }) => [
      name,
      firstMs.median.toFixed(2),
      firstMs.p95.toFixed(2),
      audioPerCpu.toFixed(0),
      `± ${(audioPerCpuSpread * 100).toFixed(0)} %`,
      cancelMs?.median.toFixed(1) ?? '',
      cancelMs?.p95.toFixed(1) ?? '',
      parentCpuPerHour?.toFixed(2) ?? '',
    ]),
  )
  const { native, bareNative, wasm } = figures
  const goals = [
    goal('libespeak-ng in its process, audio for CPU', native.audioPerCpu, ' s/s', atLeast(400)),
    goal('libespeak-ng in its process, first audio, median', native.firstMs.median, ' ms', atMost(2)),
    goal('beside the bare library', native.audioPerCpu / bareNative.audioPerCpu, '', atLeast(0.6)),
    goal('beside WebAssembly in its process', native.audioPerCpu / wasm.audioPerCpu, ' times', atLeast(2)),
    ...['native', 'wasm', 'flite'].map((key) =>
      goal(`${figures[key].name}, given up within, p95`, figures[key].cancelMs.p95, ' ms', atMost(20)),
    ),
  ]
  const { json, assert, seed } = options
  finish({ json, assert, text, figures: { seed, sides: figures }, goals })
} finally {
  for (const side of Object.values(sides)) await side.close()
}
