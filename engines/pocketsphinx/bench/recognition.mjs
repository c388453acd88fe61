/**
 * Measures recognition by pocketsphinx in its process, which receives 20 ms of audio every 20 ms, and the voice detector, which
 * runs in the event loop of every conversation.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { commandLine } from '../../../bench/harness/command-line.mjs'
import { cpuSecondsOf } from '../../../bench/harness/engine-sides.mjs'
import { needBuild } from '../../../bench/harness/installed.mjs'
import { memoryOf } from '../../../bench/harness/process-memory.mjs'
import { atMost, finish, goal, say, table } from '../../../bench/harness/report.mjs'
import { median, percentile, sum } from '../../../bench/harness/statistics.mjs'
import { createLogger } from '../../../libs/telemetry/dist/index.js'
import { openSynthesizer } from '../../flite/dist/index.js'

const options = commandLine('speech recognition: words, time, CPU', {
  rounds: { type: 'number', default: 2, help: 'of ten sentences in each of two voices' },
  frames: { type: 'number', default: 20_000, help: 'for the voice detector' },
})

needBuild('standalone')
const { openPocketsphinxRecognizer } = await import('../../../services/sessions/dist/stt/pocketsphinx-recognizer.js')
const { openSileroVoiceDetector } = await import(
  '../../../services/sessions/dist/turn-detector/voice-activity/voice-detector.js'
)

const frameMs = 20
const frameSamples = 320
const samplesPerMs = 16
/** The silence after which a turn is over. */
const pauseMs = 500

const sentences = [
  'please tell me the time',
  'what is the weather like today',
  'i would like to book a table for two',
  'how much does it cost',
  'can you help me find my keys',
  'thank you very much and good night',
  'when does the next train leave',
  'open the door and turn on the light',
  'who are you and what can you do',
  'i have a question about my account',
]

const synthesizer = await openSynthesizer()
const spoken = (text, voice) => {
  const blocks = []
  const command = { text, voiceId: synthesizer.voices[voice].id, variant: 'flite', language: null, speed: 1, volume: 1 }
  synthesizer.speak(command, { audio: (block) => blocks.push(...block) > 0, marks() {} })
  return Int16Array.from([...blocks, ...new Array(pauseMs * samplesPerMs).fill(0)])
}
const framesOf = (samples) =>
  Array.from({ length: Math.floor(samples.length / frameSamples) }, (_, at) =>
    samples.subarray(at * frameSamples, (at + 1) * frameSamples),
  )

/** The number of words to insert, delete or replace. */
const wordErrors = (spokenWords, recognizedWords) => {
  let row = Array.from({ length: recognizedWords.length + 1 }, (_, at) => at)
  for (const [index, word] of spokenWords.entries()) {
    const next = [index + 1]
    for (const [place, other] of recognizedWords.entries()) {
      next.push(Math.min(next[place] + 1, row[place + 1] + 1, row[place] + (word === other ? 0 : 1)))
    }
    row = next
  }
  return row.at(-1)
}

const recognizeAll = async () => {
  const pids = []
  const destination = {
    write: (line) => {
      const { msg, pid } = JSON.parse(line)
      if (msg === 'An engine process is ready') pids.push(pid)
    },
  }
  const logger = createLogger({ name: 'bench', destination })
  const recognizer = await openPocketsphinxRecognizer({ logger, maxProcesses: 1 })
  const warm = recognizer.open({ language: 'en', onPartial() {} })
  warm.push(spoken(sentences[0], 0))
  await warm.finish()
  const startCpu = cpuSecondsOf(pids.at(-1))
  const results = []
  const speakers = [{}, {}]
  try {
    for (let turn = 0; turn < options.rounds * 2 * sentences.length; turn++) {
      const sentence = sentences[turn % sentences.length]
      const voice = Math.floor(turn / sentences.length) % 2
      const frames = framesOf(spoken(sentence, voice))
      let firstPartialMs
      const beganMs = performance.now()
      const onPartial = () => {
        firstPartialMs ??= performance.now() - beganMs
      }
      const recognition = recognizer.open({ language: 'en', speaker: speakers[voice], onPartial })
      for (const [index, frame] of frames.entries()) {
        await delay(Math.max(0, beganMs + index * frameMs - performance.now()))
        recognition.push(frame)
      }
      const endedMs = performance.now()
      const { text, audioMs } = await recognition.finish()
      const words = sentence.split(' ')
      const errors = wordErrors(words, text.split(' '))
      results.push({ words: words.length, errors, audioMs, finishMs: performance.now() - endedMs, firstPartialMs })
    }
    const audioSeconds = sum(results.map(({ audioMs }) => audioMs)) / 1000
    return {
      wordError: sum(results.map(({ errors }) => errors)) / sum(results.map(({ words }) => words)),
      cpuPerAudioSecond: (cpuSecondsOf(pids.at(-1)) - startCpu) / audioSeconds,
      finishMs: median(results.map(({ finishMs }) => finishMs)),
      finishP95Ms: percentile(
        results.map(({ finishMs }) => finishMs),
        0.95,
      ),
      firstPartialMs: median(results.map(({ firstPartialMs }) => firstPartialMs ?? 0)),
      residentMb: memoryOf(pids.at(-1)).rssMb,
    }
  } finally {
    await recognizer.close()
  }
}

const detectAll = () => {
  const openedMs = []
  const detectors = Array.from({ length: 25 }, () => {
    const beganMs = performance.now()
    const detector = openSileroVoiceDetector()
    openedMs.push(performance.now() - beganMs)
    return detector
  })
  const [detector] = detectors
  const late = []
  for (const voice of [0, 1, 2, 3]) {
    detector.reset()
    const speech = spoken(sentences[2], voice)
    const onset = speech.findIndex((sample) => Math.abs(sample) > 500) / samplesPerMs
    const first = framesOf(speech).findIndex((frame) => detector.detect(frame))
    late.push((first + 1) * frameMs - onset)
  }
  const frames = framesOf(spoken(sentences.join(', '), 0))
  const cpu = process.cpuUsage()
  // Detectors take turns, as in many conversations, so that the processor's cache does not favor one of them.
  for (let turn = 0; turn < options.frames; turn++) {
    const frame = frames[Math.floor(turn / detectors.length) % frames.length]
    detectors[turn % detectors.length].detect(frame)
  }
  const { user, system } = process.cpuUsage(cpu)
  return { frameUs: (user + system) / options.frames, openMs: median(openedMs), lateMs: median(late) }
}

say('the voice detector ...')
const detector = detectAll()
say('pocketsphinx ...')
const pocketsphinx = await recognizeAll()

const text = table(
  ['', ''],
  [
    ['pocketsphinx: words wrong', `${(pocketsphinx.wordError * 100).toFixed(1)} %`],
    ['  CPU for a second of audio', `${pocketsphinx.cpuPerAudioSecond.toFixed(3)} s`],
    ['  from the last audio to the text', `${pocketsphinx.finishMs.toFixed(1)} ms`],
    ['  the same, of 95 %', `${pocketsphinx.finishP95Ms.toFixed(1)} ms`],
    ['  from the first audio to the first partial', `${pocketsphinx.firstPartialMs.toFixed(0)} ms`],
    ['  resident memory', `${pocketsphinx.residentMb.toFixed(0)} MB`],
    ['voice detector: CPU for a frame of 20 ms', `${detector.frameUs.toFixed(0)} µs`],
    ['  from the first sound to its detection', `${detector.lateMs.toFixed(0)} ms`],
    ['  opening one', `${detector.openMs.toFixed(0)} ms`],
  ],
)
const goals = [
  goal('words wrong', pocketsphinx.wordError * 100, ' %', atMost(20)),
  goal('CPU for a second of audio', pocketsphinx.cpuPerAudioSecond, ' s', atMost(0.35)),
  goal('from the last audio to the text', pocketsphinx.finishMs, ' ms', atMost(50)),
  goal('voice detector, a frame', detector.frameUs, ' µs', atMost(200)),
]
const { json, assert } = options
finish({ json, assert, text, figures: { pocketsphinx, detector }, goals })
