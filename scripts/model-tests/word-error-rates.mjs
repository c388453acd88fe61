#!/usr/bin/env node
// The word error rates of recognizers for what voices say, both through the whole platform: `POST /v1/tts` and
// `POST /v1/audio/transcriptions`.
//
//   node scripts/model-tests/word-error-rates.mjs --models-dir FOLDER [--write docs/word-error-rates.md]
//
// prints a page in Markdown with every English voice and every recognizer that is installed, and the judge. Models that are
// slower than speech are left out.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readModelsFolder } from '../../libs/models/dist/index.js'
import { wordsOf } from '../../libs/testing/dist/index.js'
import { startWithModels } from './installation.mjs'
import { environmentOf, installJudge, judgeName, startJudge } from './judge.mjs'
import { measureVoice, sentences, shareOf } from './measure-words.mjs'
import { downloadPackages } from './packages.mjs'

const engineNames = { standard: 'eSpeak NG', flite: 'flite' }
const recognizerNames = { [judgeName]: 'Whisper tiny.en' }
const row = (cells) => `| ${cells.join(' | ')} |\n`
const percent = (result) => `${(100 * shareOf(result)).toFixed(0)} %`

/** The variants and the recognizers that the models of a folder give. */
const namesIn = async (modelsDir) => {
  const found = (await readModelsFolder(modelsDir)).filter(({ reading }) => 'model' in reading)
  const named = (purpose) => found.filter((model) => model.purpose === purpose).map(({ name }) => name)
  return {
    variants: named('speech'),
    recognizers: ['pocketsphinx', ...named('recognition').map((name) => `sherpa-onnx/${name}`), judgeName],
  }
}

/** Resolves to a row for each English voice that is not slow. */
const measureVoices = async (platform, recognizers) => {
  const rows = []
  for (const voice of platform.voices.filter(({ tags }) => !tags.includes('slow'))) {
    const results = await measureVoice(platform, voice, recognizers)
    const engine = voice.variants[0].id
    const shares = recognizers.map((name) => percent(results.get(name)))
    rows.push(row([`${voice.display_name} (${engineNames[engine] ?? engine})`, ...shares]))
    process.stderr.write(rows.at(-1))
  }
  return rows
}

const pageOf = (recognizers, rows) => {
  const words = wordsOf(sentences.join(' ')).length
  const names = recognizers.map((name) => recognizerNames[name] ?? name.replace('sherpa-onnx/', ''))
  const heading = row(['voice', ...names]) + row(['---', ...names.map(() => '---:')])
  return `# Word error rates

The word error rate of each recognizer for each English voice, through the whole platform: \`POST /v1/tts\`, then
\`POST /v1/audio/transcriptions\`. Each voice speaks the same ${sentences.length} everyday sentences, ${words} words in all, once. A word counts as
wrong when it must be inserted, deleted or replaced; capitals and punctuation do not count. One word is ${(100 / words).toFixed(1)} %. A neural
voice speaks a text differently each time, so its figures vary by a few words.

Measured on ${new Date().toISOString().slice(0, 10)} by this command, which writes this page:

\`\`\`text
node scripts/model-tests/word-error-rates.mjs --models-dir FOLDER --write docs/word-error-rates.md
\`\`\`

Whisper tiny.en is not part of Parlance. It runs in faster-whisper, shares no code with the other recognizers, and is called as a
server with OpenAI's interface.

${heading}${rows.join('')}`
}

const measureAll = async (folder, modelsDir) => {
  const { variants, recognizers } = await namesIn(modelsDir)
  const judge = await startJudge(folder)
  try {
    const platform = await startWithModels({
      folder,
      modelsDir,
      variants,
      recognizers,
      env: { ...environmentOf(judge), STT_PROVIDER: 'sherpa-onnx,openai,pocketsphinx' },
    })
    try {
      return pageOf(recognizers, await measureVoices(platform, recognizers))
    } finally {
      await platform.stop()
    }
  } finally {
    await judge.stop()
  }
}

const { values: options } = parseArgs({ options: { 'models-dir': { type: 'string' }, write: { type: 'string' } } })
if (options['models-dir'] === undefined) {
  process.stderr.write('Name the folder of the models with --models-dir.\n')
  process.exit(1)
}
const folder = await mkdtemp(join(tmpdir(), 'parlance-word-error-rates-'))
try {
  await Promise.all([downloadPackages('requirements.txt'), installJudge()])
  const page = await measureAll(folder, resolve(options['models-dir']))
  if (options.write === undefined) process.stdout.write(page)
  else await writeFile(options.write, page)
} finally {
  await rm(folder, { recursive: true, force: true })
}
