import { copyFile, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readCatalog } from '../catalog.js'
import { digestFile } from '../folder/file-digest.js'
import { writeFailure } from '../folder/install-error.js'
import { settingsFileName } from '../folder-settings.js'
import { readOnnxInterface } from '../onnx/onnx-graph.js'
import type { DetectorSource } from './find-importable.js'

/** Detectors are small. Larger files are not read. */
const maxBytes = 64 * 1024 * 1024

/** Recognizes Smart Turn v3 by its inputs and outputs. Resolves with false for any other model, and for a damaged file. */
export const isTurnDetector = async (path: string): Promise<boolean> => {
  try {
    if ((await stat(path)).size > maxBytes) return false
    const { inputs, outputs } = readOnnxInterface(await readFile(path))
    return inputs.join() === 'input_features' && outputs.join() === 'logits'
  } catch {
    return false
  }
}

/**
 * Writes a turn detector into `folder`, with a `parlance.json` that names its kind and what the catalog knows of
 * the same file. Resolves with its license; undefined where it is not known.
 */
export const convertDetector = async ({ model }: DetectorSource, folder: string): Promise<string | undefined> => {
  const [{ sha256 }, catalog] = await Promise.all([digestFile(model), readCatalog()])
  const known = catalog.models.find(({ files }) => files.some((file) => file.sha256 === sha256))
  const license = known?.license.name ?? undefined
  const settings = {
    kind: 'turn',
    display_name: known?.display_name,
    languages: known === undefined || known.languages.length === 0 ? undefined : known.languages,
    license,
  }
  try {
    await copyFile(model, join(folder, 'model.onnx'))
    await writeFile(join(folder, settingsFileName), `${JSON.stringify(settings, null, 2)}\n`)
  } catch (error) {
    throw writeFailure(error, folder)
  }
  return license
}
