// `npm run loudness`: the silence before the first sound of every voice, its loudness, and its highest peak.
import { readFile, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { integratedLoudness, voiceLoudness } from '@parlance/audio'
import { readModelsFolder } from '@parlance/models'
import { startEngineProcess } from '../bench/harness/engine-process.mjs'
import { optionsOrExit } from './options.mjs'

const usage = `npm run loudness -- [options]: speaks with every voice, and prints the silence before its first sound, its loudness (EBU R128)
and its highest peak

  --models-dir DIR  adds the installed models of this folder
  --engine NAME     only this engine: flite, espeak-ng or sherpa-onnx
  --write           keeps the gains of the built-in voices, in engines/*/src/voice-gains.ts
  -h, --help        prints this

Ends with 1 when a voice begins with more than 20 ms of silence, is not at -20 LUFS ± 1, or is clipped. Needs what was built.`

const maxSilenceMs = 20
const maxDeviation = 1
/** Samples up to this size, -50 dB of full scale, are silence. */
const silenceLevel = 103

/**
 * Texts that begin with sounds of all kinds, and are long enough for a loudness. Others are spoken as the days and the
 * months.
 */
const texts = {
  en: [
    'Please take a seat. The doctor will be with you in about ten minutes, and she has your papers already.',
    'Our shop is open from nine to half past six. On Sundays we are closed, but you can always order by telephone.',
    'Hello! Thank you for calling. How can I help you today? I can book a table, or tell you what is on the menu.',
    'It rained all night. In the morning the river had risen by two feet, and nobody could cross the old bridge.',
  ],
  de: [
    'Bitte nehmen Sie Platz. Die Ärztin kommt in etwa zehn Minuten, Ihre Unterlagen hat sie schon.',
    'Unser Laden ist von neun bis halb sieben geöffnet. Am Sonntag ist geschlossen, aber Sie können immer anrufen.',
  ],
  fr: [
    'Veuillez vous asseoir. Le médecin arrive dans dix minutes, et elle a déjà vos papiers.',
    'Notre boutique est ouverte de neuf heures à dix-huit heures trente. Le dimanche, elle est fermée.',
  ],
}

const dates = (language) => {
  const names = (options, count, at) => {
    const { format } = new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' })
    return new Intl.ListFormat(language).format(Array.from({ length: count }, (_, index) => format(at(index))))
  }
  return [
    `${names({ weekday: 'long' }, 7, (day) => Date.UTC(2024, 0, 7 + day))}.`,
    `${names({ month: 'long' }, 12, (month) => Date.UTC(2024, month, 1))}.`,
  ]
}

const measure = async (engine, voice) => {
  const language = voice.languages[0].split('-')[0]
  const { sampleRateHz } = engine.hello
  const speeches = []
  for (const text of texts[language] ?? dates(language)) {
    const samples = []
    const utterance = { text, voiceId: voice.id, variant: voice.variants[0].id }
    await engine.spokenMs(utterance, (pcm) => samples.push(...pcm))
    speeches.push(samples)
  }
  const silenceMs = Math.max(
    ...speeches.map(
      (samples) => (1000 * samples.findIndex((sample) => Math.abs(sample) > silenceLevel)) / sampleRateHz,
    ),
  )
  const all = Int16Array.from(speeches.flat())
  const peak = all.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
  const clipped = all.reduce((count, sample) => count + (Math.abs(sample) >= 32_767 ? 1 : 0), 0)
  return { silenceMs, lufs: integratedLoudness(all, sampleRateHz), peakDb: 20 * Math.log10(peak / 32_768), clipped }
}

const row = (cells) => `| ${cells.join(' | ')} |`

/** Adds what is missing to the gains of an engine. Its tables are built afterwards. */
const writeGains = async (name, missing) => {
  const { voiceGainsDb } = await import(new URL(`../engines/${name}/dist/voice-gains.js`, import.meta.url))
  const lines = missing.map(({ voice, db }) => {
    const gain = (voiceGainsDb[voice.id] ?? 0) + db
    return `  // ${voice.displayName}\n  '${voice.id}': ${Number(gain.toFixed(1))},\n`
  })
  const path = new URL(`../engines/${name}/src/voice-gains.ts`, import.meta.url)
  const head = (await readFile(path, 'utf8')).replace(/= \{[\s\S]*$/, '= {\n')
  await writeFile(path, `${head}${lines.join('')}}\n`)
}

const sherpaArguments = (folder) =>
  JSON.stringify({ engine: `local/${basename(folder)}`, folder, threads: 1, creditPer1kCharacters: '0' })

const modelFolders = async (modelsDir) =>
  (await readModelsFolder(modelsDir)).filter(({ purpose }) => purpose === 'speech').map(({ path }) => path)

const options = optionsOrExit(usage, {
  options: { 'models-dir': { type: 'string' }, engine: { type: 'string' }, write: { type: 'boolean' } },
})
const folders = options['models-dir'] === undefined ? [] : await modelFolders(options['models-dir'])
const processes = [
  ['flite'],
  ['espeak-ng'],
  ...folders.map((folder) => ['sherpa-onnx', sherpaArguments(folder)]),
].filter(([name]) => (options.engine ?? name) === name)

console.log(row(['engine', 'voice', 'silence at the start, ms', 'LUFS', 'peak, dBFS', 'clipped samples']))
console.log(row(Array(6).fill('---')))
for (const [name, ...args] of processes) {
  const engine = await startEngineProcess(name, ...args)
  const missing = []
  try {
    for (const voice of engine.hello.voices) {
      const { silenceMs, lufs, peakDb, clipped } = await measure(engine, voice)
      missing.push({ voice, db: voiceLoudness - lufs })
      const isWrong = silenceMs > maxSilenceMs || Math.abs(lufs - voiceLoudness) > maxDeviation || clipped > 0
      if (isWrong) process.exitCode = 1
      const figures = [silenceMs.toFixed(0), lufs.toFixed(1), peakDb.toFixed(1), clipped]
      console.log(row([engine.hello.engine, voice.displayName, ...figures]) + (isWrong ? ' WRONG' : ''))
    }
  } finally {
    engine.stop()
  }
  if (options.write && name !== 'sherpa-onnx') await writeGains(name, missing)
}
