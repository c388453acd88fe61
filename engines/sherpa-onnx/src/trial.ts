/**
 * Loads a model, speaks or recognizes a short text with it, and writes a report: one line of JSON on standard output. The
 * native library may end the process instead, after a line on standard error. Therefore this is a separate process.
 */
import { performance } from 'node:perf_hooks'
import { type RecognitionModel, readFolder, readLexicon, type SpeechModel } from '@parlance/models'
import { findGains } from './model-gains.js'
import { openRecognizer, warmUpRecognizer } from './recognizer.js'
import { openSynthesizer, type Synthesizer } from './synthesizer.js'
import type { TrialReport } from './trial-report.js'
import { trialSentence, trialText } from './trial-text.js'

const quietestPeak = 0.001

const [folder = '', threads = '1'] = process.argv.slice(2)

const memoryMegabytes = () => Math.round(process.memoryUsage.rss() / 1e6)

/** Longer trials are not repeated. */
const maxRepeatedMs = 2000

interface TimedSpeech {
  readonly speakMs: number
  readonly sampleCount: number
  /** NaN when a sample is not a number. */
  readonly peak: number
}

const paceOf = ({ sampleCount, speakMs }: TimedSpeech) => sampleCount / speakMs

const timeSpeech = async (synthesizer: Synthesizer, { speakers }: SpeechModel, text: string): Promise<TimedSpeech> => {
  let sampleCount = 0
  let peak = 0
  const take = (samples: Float32Array) => {
    sampleCount += samples.length
    for (const sample of samples) peak = Number.isFinite(sample) ? Math.max(peak, Math.abs(sample)) : Number.NaN
    return true
  }
  const beganMs = performance.now()
  await synthesizer.speak({ text, speakerId: speakers[0]!.id, speed: 1 }, { take, isWanted: () => true })
  return { speakMs: performance.now() - beganMs, sampleCount, peak }
}

const speak = async (model: SpeechModel): Promise<TrialReport> => {
  const startedMs = performance.now()
  const synthesizer = await openSynthesizer(model, Number(threads))
  const loadMs = performance.now() - startedMs

  const lexicon = await readLexicon(model.files.lexicons)
  // The first words take longest.
  await timeSpeech(synthesizer, model, trialText(model, lexicon))
  const text = trialSentence(model, lexicon)
  const spoken = await timeSpeech(synthesizer, model, text)
  // Other work on the machine makes a short measurement longer and never shorter.
  const again = spoken.speakMs > maxRepeatedMs ? spoken : await timeSpeech(synthesizer, model, text)
  const { sampleCount, peak, speakMs } = paceOf(again) > paceOf(spoken) ? again : spoken

  const problems = [
    ...(synthesizer.sampleRateHz === model.sampleRateHz
      ? []
      : [`The model speaks at ${synthesizer.sampleRateHz} Hz, but its metadata has ${model.sampleRateHz} Hz`]),
    ...(sampleCount === 0 ? [`The model returned no audio for "${text}"`] : []),
    ...(sampleCount > 0 && !(peak > quietestPeak) ? ['The model produces only silence'] : []),
  ]
  if (problems.length > 0) return { problems }
  await findGains(folder, synthesizer, model, lexicon)
  return {
    loadMs: Math.round(loadMs),
    speakMs: Math.round(speakMs),
    audioMs: Math.round((sampleCount * 1000) / synthesizer.sampleRateHz),
    memoryMegabytes: memoryMegabytes(),
  }
}

const noiseMs = 3000

const recognize = async (model: RecognitionModel): Promise<TrialReport> => {
  const startedMs = performance.now()
  const recognizer = await openRecognizer(model, Number(threads))
  const beganMs = performance.now()
  // Noise that is the same each time.
  warmUpRecognizer(
    recognizer,
    Int16Array.from({ length: noiseMs * 16 }, (_, index) => 3000 * Math.sin(index * index)),
  )
  return {
    loadMs: Math.round(beganMs - startedMs),
    recognitionMs: Math.round(performance.now() - beganMs),
    audioMs: noiseMs,
    memoryMegabytes: memoryMegabytes(),
  }
}

const run = async (): Promise<TrialReport> => {
  const { purpose, reading } = await readFolder(folder)
  if ('problems' in reading) return { problems: reading.problems }
  if (purpose === 'detection') return { problems: ['The model neither speaks nor recognizes speech'] }
  return purpose === 'recognition' ? recognize(reading.model) : speak(reading.model)
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

const report = await run().catch((error: Error): TrialReport => ({ problems: [sentence(error.message)] }))
// A failed thread of the library would keep the process running.
process.stdout.write(`${JSON.stringify(report)}\n`, () => process.exit(0))
