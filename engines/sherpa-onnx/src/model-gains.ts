import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { integratedLoudness, voiceLoudness } from '@parlance/audio'
import type { Lexicon, SpeechModel } from '@parlance/models'
import { z } from 'zod'
import { NativeWorkError } from './native-work.js'
import type { Synthesizer } from './synthesizer.js'
import { loudnessText } from './trial-text.js'

/** The gain of each speaker of a model in dB, by its number in the model. */
const modelGains = z.record(z.string(), z.number())
type ModelGains = z.output<typeof modelGains>

/** A hidden file in the model's folder, which is not part of the installation. */
const fileName = '.parlance-gains.json'

/** How long the speakers are measured. Those that remain get the mean gain of the others. */
const maxMeasuringMs = 20_000

const gainOf = async (synthesizer: Synthesizer, speakerId: number, text: string): Promise<number | undefined> => {
  const samples: number[] = []
  const take = (part: Float32Array) => {
    for (const sample of part) samples.push(sample * 32_767)
    return true
  }
  try {
    await synthesizer.speak({ text, speakerId, speed: 1 }, { take, isWanted: () => true })
  } catch (error) {
    // A model may fail with some texts and speak others.
    if (error instanceof NativeWorkError) return undefined
    throw error
  }
  const loudness = integratedLoudness(Int16Array.from(samples), synthesizer.sampleRateHz)
  return Number.isFinite(loudness) ? Math.round((voiceLoudness - loudness) * 10) / 10 : undefined
}

const measure = async (synthesizer: Synthesizer, model: SpeechModel, lexicon: Lexicon): Promise<ModelGains> => {
  const text = loudnessText(model, lexicon)
  const untilMs = performance.now() + maxMeasuringMs
  const gains: Record<string, number> = {}
  let sum = 0
  let count = 0
  for (const { id } of model.speakers) {
    const measured = performance.now() < untilMs ? await gainOf(synthesizer, id, text) : undefined
    if (measured !== undefined) {
      sum += measured
      count += 1
    }
    gains[id] = measured ?? (count === 0 ? 0 : sum / count)
  }
  return gains
}

/**
 * Resolves with the gains with which the speakers of a model are as loud as all voices. They are measured once, and stored
 * in its folder if that is writable.
 */
export const findGains = async (
  folder: string,
  synthesizer: Synthesizer,
  model: SpeechModel,
  lexicon: Lexicon,
): Promise<ModelGains> => {
  const path = join(folder, fileName)
  const known = await readFile(path, 'utf8').catch(() => undefined)
  if (known !== undefined) {
    try {
      const gains = modelGains.parse(JSON.parse(known))
      if (model.speakers.every(({ id }) => gains[id] !== undefined)) return gains
    } catch {
      // A damaged file is measured again.
    }
  }
  const gains = await measure(synthesizer, model, lexicon)
  await writeFile(path, `${JSON.stringify(gains)}\n`).catch(() => {})
  return gains
}
