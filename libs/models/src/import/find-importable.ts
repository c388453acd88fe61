import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isReadyFolder, tokenizerName } from '../recognition/recognition-kinds.js'
import { isTurnDetector } from './convert-detector.js'
import { findKokoro, type KokoroSource } from './kokoro.js'

/** The files of an original Piper model. */
export interface PiperSource {
  readonly kind: 'piper'
  readonly name: string
  readonly model: string
  readonly config: string
  readonly card: string | undefined
}

/** A folder in the form that sherpa-onnx reads. */
export interface ReadySource {
  readonly kind: 'ready'
  readonly name: string
  readonly folder: string
}

/** A folder with an original Moonshine model. */
export interface MoonshineSource {
  readonly kind: 'moonshine'
  readonly name: string
  readonly folder: string
}

/** The file of a model that detects the end of a turn. */
export interface DetectorSource {
  readonly kind: 'detector'
  readonly name: string
  readonly model: string
}

/** A model that can be imported. */
type ImportSource = PiperSource | KokoroSource | ReadySource | MoonshineSource | DetectorSource

export interface FoundSources {
  readonly sources: readonly ImportSource[]
  /** One line for each missing file. */
  readonly problems: readonly string[]
}

const maxDepth = 6
const isCard = (name: string) => /^(.*\.)?MODEL_CARD(\.(md|txt))?$/i.test(name)

/** With several voices in a folder, the card of a voice is the one that names it. */
const findCard = async (folder: string, cards: readonly string[], name: string, isOnlyModel: boolean) => {
  const [, voice] = name.split('-')
  for (const card of cards) {
    if (isOnlyModel && cards.length === 1) return join(folder, card)
    if (card.startsWith(`${name}.`)) return join(folder, card)
    const [title = ''] = (await readFile(join(folder, card), 'utf8')).split('\n')
    if (voice !== undefined && title.split(/\W+/).includes(voice)) return join(folder, card)
  }
  return undefined
}

const isOriginalMoonshine = (names: readonly string[]) =>
  names.includes(tokenizerName) && names.some((name) => /^decoder_model_merged\.(onnx|ort)$/.test(name))

/** Its folders are named by their sizes and languages, such as `base-en`. */
const moonshineName = (folder: string) =>
  /moonshine/i.test(basename(folder)) ? basename(folder) : `moonshine-${basename(folder)}`

/** `only` is the name of the requested model. */
const findInFolder = async (folder: string, names: readonly string[], only?: string): Promise<FoundSources> => {
  if (only === undefined && isReadyFolder(names)) {
    return { sources: [{ kind: 'ready', name: basename(folder), folder }], problems: [] }
  }
  if (only === undefined && isOriginalMoonshine(names)) {
    return { sources: [{ kind: 'moonshine', name: moonshineName(folder), folder }], problems: [] }
  }
  const kokoro = findKokoro(folder, names, only)
  const configs = names.filter((name) => name.endsWith('.onnx.json')).map((name) => name.slice(0, -'.onnx.json'.length))
  const detectors: DetectorSource[] = []
  const models: string[] = []
  for (const file of names.filter((name) => name.endsWith('.onnx'))) {
    const [name, model] = [file.slice(0, -'.onnx'.length), join(folder, file)]
    if (kokoro.names.includes(name)) continue
    if (configs.includes(name) || !(await isTurnDetector(model))) models.push(name)
    else if (only === undefined || name === only) detectors.push({ kind: 'detector', name, model })
  }
  const wanted = (all: readonly string[]) => all.filter((name) => only === undefined || name === only)
  const problems = [
    ...kokoro.problems,
    ...wanted(models).flatMap((name) =>
      configs.includes(name) ? [] : [`${name}.onnx.json is missing beside ${name}.onnx`],
    ),
    ...wanted(configs).flatMap((name) =>
      models.includes(name) ? [] : [`${name}.onnx is missing beside ${name}.onnx.json`],
    ),
  ]
  const complete = wanted(models).filter((name) => configs.includes(name))
  const sources: ImportSource[] = [...detectors, ...kokoro.sources]
  for (const name of complete) {
    const card = await findCard(folder, names.filter(isCard), name, models.length === 1)
    const model = join(folder, `${name}.onnx`)
    sources.push({ kind: 'piper', name, model, config: `${model}.json`, card })
  }
  return { sources, problems }
}

const merge = (found: readonly FoundSources[]): FoundSources => ({
  sources: found.flatMap(({ sources }) => sources),
  problems: found.flatMap(({ problems }) => problems),
})

/** Finds the models in a folder and the folders in it. */
export const findModelsIn = async (folder: string, depth = 0): Promise<FoundSources> => {
  const entries = (await readdir(folder, { withFileTypes: true })).filter(({ name }) => !name.startsWith('.'))
  const own = await findInFolder(
    folder,
    entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name),
  )
  if (depth === maxDepth || own.sources.some(({ kind }) => kind === 'ready' || kind === 'moonshine')) return own
  const below = []
  for (const entry of entries) {
    if (entry.isDirectory()) below.push(await findModelsIn(join(folder, entry.name), depth + 1))
  }
  return merge([own, ...below])
}

/** Finds the model that an `.onnx` file, or the `.onnx.json` beside it, belongs to. */
export const findModelOf = async (file: string): Promise<FoundSources> => {
  const folder = dirname(file)
  const names = (await readdir(folder, { withFileTypes: true })).filter((entry) => !entry.isDirectory())
  return findInFolder(
    folder,
    names.map(({ name }) => name),
    basename(file).replace(/\.onnx(\.json)?$/, ''),
  )
}
