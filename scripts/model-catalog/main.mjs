#!/usr/bin/env node
// Makes the catalog of models that Parlance ships, from the public collections' own indexes.
//
//   node scripts/model-catalog/main.mjs [--indexes FOLDER | --mirror URL] [--output FILE]
//
// The indexes are Piper's `voices.json`, and the answers of GitHub's API about the releases `tts-models`, `asr-models` and
// `vocoder-models` of sherpa-onnx. They are read from where they are published; with --mirror from `URL/voices.json`,
// `URL/tts-models.json` and so on; with --indexes from files of these names. A release whose index cannot be read adds no
// facts to the entries of `known.json`; without Piper's index nothing is written.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { piperModels } from './piper-models.mjs'
import { releaseModels } from './release-models.mjs'

const releaseNames = ['tts-models', 'asr-models', 'vocoder-models']

const published = {
  'voices.json': 'https://huggingface.co/rhasspy/piper-voices/resolve/main/voices.json',
  ...Object.fromEntries(
    releaseNames.map((name) => [
      `${name}.json`,
      `https://api.github.com/repos/k2-fsa/sherpa-onnx/releases/tags/${name}`,
    ]),
  ),
}

const { values } = parseArgs({
  options: {
    indexes: { type: 'string' },
    mirror: { type: 'string' },
    output: {
      type: 'string',
      default: fileURLToPath(new URL('../../libs/models/catalog/models.json', import.meta.url)),
    },
  },
})

const readIndex = async (name) => {
  if (values.indexes !== undefined) return JSON.parse(await readFile(join(values.indexes, name), 'utf8'))
  const url = values.mirror === undefined ? published[name] : `${values.mirror.replace(/\/+$/, '')}/${name}`
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url} answered ${response.status}`)
  return response.json()
}

const readReleases = async () => {
  const releases = {}
  for (const name of releaseNames) {
    try {
      releases[name] = await readIndex(`${name}.json`)
    } catch (error) {
      process.stderr.write(
        `No index of the release ${name} (${error.message}): its entries have the facts of known.json.\n`,
      )
    }
  }
  return releases
}

const known = JSON.parse(await readFile(new URL('known.json', import.meta.url), 'utf8'))
const voices = await readIndex('voices.json')
const byName = (a, b) => (a.name < b.name ? -1 : 1)
const models = [
  ...releaseModels(known.releases, await readReleases()),
  ...piperModels(voices, known.piper, known.piper_genders),
  ...known.others,
].sort(byName)

await writeFile(values.output, `${JSON.stringify({ version: 1, espeak_data: known.espeak_data, models }, null, 1)}\n`)
const unverified = models.filter(({ files }) =>
  files.some(({ sha256, optional }) => sha256 === null && !optional),
).length
process.stdout.write(`${models.length} models, ${unverified} of them trusted at first use.\n`)
