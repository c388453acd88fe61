#!/usr/bin/env node
// The share of words that recognisers get wrong of what voices say, both through the whole platform: `POST /v1/tts` and
// `POST /v1/audio/transcriptions`.
//
//   node scripts/model-tests/words-wrong.mjs --models-dir FOLDER
//
// prints a table in Markdown of every English voice and every recogniser that is installed.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startStandalone } from '../../bench/harness/standalone.mjs'
import { eventually } from '../../bench/harness/waiting.mjs'
import { readModelsFolder } from '../../libs/models/dist/index.js'
import { wordErrors, wordsOf } from './word-errors.mjs'

/** Everyday sentences, without numbers and names, which can be written in more than one way. */
export const sentences = [
  'Good morning, how can I help you today?',
  'The train to the city leaves in half an hour.',
  'Please tell me whether you would like tea or coffee.',
  'I am afraid that the museum is closed on the first day of the week.',
  'Could you repeat the last part of your question more slowly?',
  'We will send the new keys to your house before the weekend.',
  'The weather is cold and windy, so take a warm coat with you.',
  'Nobody knew why the old clock had stopped in the middle of the night.',
]

const ok = async (response) => {
  if (response.ok) return response
  throw new Error(`${response.url} answered ${response.status}: ${await response.text()}`)
}

const speak = async ({ url, headers }, voice, text) => {
  const response = await fetch(`${url}/v1/tts`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ text, voice_id: voice.id, output: { format: 'wav', sample_rate: 16_000 } }),
  })
  return (await ok(response)).blob()
}

const transcribe = async ({ url, headers }, model, wav) => {
  const body = new FormData()
  body.set('file', wav, 'speech.wav')
  body.set('model', model)
  body.set('language', 'en')
  const response = await fetch(`${url}/v1/audio/transcriptions`, { method: 'POST', headers, body })
  return (await (await ok(response)).json()).text
}

/** Speaks the sentences with a voice, and resolves to `{ wrong, words, texts }` by recogniser. */
export const measureVoice = async (platform, voice, recognisers) => {
  const results = new Map(recognisers.map((name) => [name, { wrong: 0, words: 0, texts: [] }]))
  for (const sentence of sentences) {
    const wav = await speak(platform, voice, sentence)
    for (const [name, result] of results) {
      const text = await transcribe(platform, name, wav)
      result.wrong += wordErrors(wordsOf(sentence), wordsOf(text))
      result.words += wordsOf(sentence).length
      result.texts.push(text)
    }
  }
  return results
}

export const shareOf = ({ wrong, words }) => wrong / words

/** Starts the platform with the models of a folder, and resolves when all the voices and recognisers have come. */
export const startWithModels = async ({ folder, modelsDir, variants, recognisers }) => {
  const platform = await startStandalone({ folder, env: { MODELS_DIR: modelsDir } })
  const voicesNow = async () => {
    const response = await fetch(`${platform.url}/v1/voices?language=en&limit=100`, { headers: platform.headers })
    const { voices } = await (await ok(response)).json()
    return variants.every((id) => voices.some((voice) => voice.variants[0].id === id)) ? voices : undefined
  }
  try {
    const voices = await eventually('the voices', voicesNow, { withinMs: 120_000, everyMs: 500 })
    const word = await speak(platform, voices[0], 'Hello.')
    const transcribed = () => Promise.all(recognisers.map((name) => transcribe(platform, name, word)))
    await eventually('the recognisers', transcribed, { withinMs: 120_000, everyMs: 500 })
    return { ...platform, voices }
  } catch (error) {
    await platform.stop()
    throw error
  }
}

const percent = (result) => `${(100 * shareOf(result)).toFixed(0)} %`

/** The variants and the recognisers that the models of a folder give. */
const namesIn = async (modelsDir) => {
  const models = (await readModelsFolder(modelsDir)).filter(({ reading }) => 'model' in reading)
  const named = (purpose) => models.filter((model) => model.purpose === purpose).map(({ name }) => name)
  return {
    variants: named('speech'),
    recognisers: ['pocketsphinx', ...named('recognition').map((name) => `sherpa-onnx/${name}`)],
  }
}

const printTable = async (modelsDir) => {
  const folder = await mkdtemp(join(tmpdir(), 'parlance-words-wrong-'))
  const { variants, recognisers } = await namesIn(modelsDir)
  const platform = await startWithModels({ folder, modelsDir, variants, recognisers })
  try {
    process.stdout.write(`| voice | ${recognisers.join(' | ')} |\n| --- |${' --- |'.repeat(recognisers.length)}\n`)
    for (const voice of platform.voices) {
      const results = await measureVoice(platform, voice, recognisers)
      const cells = recognisers.map((name) => percent(results.get(name)))
      process.stdout.write(`| ${voice.display_name} (${voice.variants[0].id}) | ${cells.join(' | ')} |\n`)
    }
  } finally {
    await platform.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { 'models-dir': { type: 'string' } } })
  if (values['models-dir'] === undefined) {
    process.stderr.write('Name the folder of the models with --models-dir.\n')
    process.exitCode = 1
  } else await printTable(resolve(values['models-dir']))
}
