import { rename, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { CatalogFile, CatalogModel } from '../catalog/catalog-schema.js'
import { InstallError, writeFailure } from '../folder/install-error.js'
import { unpackArchive } from '../folder/unpack-archive.js'
import { settingsFileName } from '../folder-settings.js'
import { convertMoonshine } from '../import/convert-moonshine.js'
import { findModelsIn } from '../import/find-importable.js'
import type { FetchedFile } from './fetch-catalog-file.js'
import { type Installation, noticeOf, type PreparedModel, requireLicense, withoutOptional } from './installation.js'

/** Downloads a model whose files are used unchanged or are in an archive. Rejects with `InstallError`. */
export const prepareReady = async (installation: Installation): Promise<PreparedModel> => {
  const { model, fetch } = installation
  const license = model.license.name ?? 'not stated'
  await requireLicense(installation, noticeOf(model, license))
  const fetched: Array<[CatalogFile, FetchedFile]> = []
  for (const file of model.files) {
    const result = await fetch(file).catch(withoutOptional(file))
    if (result !== undefined) fetched.push([file, result])
  }
  return {
    license,
    async fill(folder) {
      for (const [{ path }, { path: downloaded }] of fetched) {
        if (path !== undefined) await rename(downloaded, join(folder, path))
        else await moveArchiveInto(downloaded, folder)
      }
      await writeSettings(folder, settingsOf(model, license))
    },
  }
}

/** The `parlance.json` of a model: facts from the catalog that are not in its files. */
const settingsOf = ({ format, kind, display_name, languages, quality }: CatalogModel, license: string): object => {
  const known = languages.length === 0 ? {} : { languages }
  if (format === 'onnx') return { kind, display_name, ...known, license }
  return kind === 'stt' ? { ...known, license, ...(quality === undefined ? {} : { quality }) } : { license }
}

/** Moves the model of an archive into the empty folder. A model in its publisher's form is converted. */
const moveArchiveInto = async (archive: string, folder: string): Promise<void> => {
  const unpacked = `${archive}.unpacked`
  await rm(unpacked, { recursive: true, force: true })
  await unpackArchive(archive, unpacked)
  const found = (await findModelsIn(unpacked)).sources.find((source) => 'folder' in source)
  if (found === undefined) throw new InstallError('bad_archive', `${basename(unpacked)} contains no model.`)
  if (found.kind === 'moonshine') return convertMoonshine(found.folder, folder)
  // A rename can replace the staging folder, since it is empty.
  await rename(found.folder, folder).catch((error: unknown) => {
    throw writeFailure(error, folder)
  })
}

/** Writes `parlance.json`, unless the publisher has provided one. */
const writeSettings = async (folder: string, settings: object): Promise<void> => {
  const text = `${JSON.stringify(settings, null, 2)}\n`
  await writeFile(join(folder, settingsFileName), text, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw writeFailure(error, folder)
  })
}
