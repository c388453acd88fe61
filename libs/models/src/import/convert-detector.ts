import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readCatalog } from '../catalog/read-catalog.js'
import { digestFile } from '../folder/file-digest.js'
import { writeFailure } from '../folder/install-error.js'
import { settingsFileName } from '../folder-settings.js'
import type { DetectorSource } from './find-importable.js'

/**
 * Writes a model that detects into `folder`, with a `parlance.json` that says what it detects, and what the catalog knows of
 * the same file. Resolves with its license; undefined where it is not known.
 */
export const convertDetector = async (
  { model, detects }: DetectorSource,
  folder: string,
): Promise<string | undefined> => {
  const [{ sha256 }, catalog] = await Promise.all([digestFile(model), readCatalog()])
  const known = catalog.models.find(({ files }) => files.some((file) => file.sha256 === sha256))
  const license = known?.license.name ?? undefined
  const settings = {
    kind: detects,
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
