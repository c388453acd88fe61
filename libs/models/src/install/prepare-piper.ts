import { join } from 'node:path'
import { InstallError } from '../folder/install-error.js'
import { unpackArchive } from '../folder/unpack-archive.js'
import { convertPiper, licenseOf } from '../import/convert-piper.js'
import { addEspeakData, findEspeakData } from '../import/espeak-data.js'
import { readPiperConfig } from '../import/piper-config.js'
import { ModelFileError } from '../model-file.js'
import { type Installation, noticeOf, type PreparedModel, requireLicense, withoutOptional } from './installation.js'

const fetchEspeakData = async (installation: Installation): Promise<string> => {
  const { catalog, options, fetch } = installation
  const find = options.findEspeakData ?? findEspeakData
  const found = await find(options.modelsDir, options.espeakData)
  if (found !== undefined) return found
  if (options.espeakData !== undefined) {
    throw new InstallError('unusable', `${options.espeakData} contains no data of eSpeak NG.`)
  }
  const { url, size_bytes, sha256, member, license, source } = catalog.espeak_data
  await requireLicense(installation, { model: 'espeak-ng-data', license, source, lineage: null })
  const archive = await fetch({ url, size_bytes, sha256, md5: null })
  const folder = `${archive.path}.unpacked`
  await unpackArchive(archive.path, folder, { isWanted: (path) => path.startsWith(`${member}/`) })
  return join(folder, member)
}

/**
 * Downloads an original Piper model. The small files come first, so that a model that cannot be used or whose license is
 * not accepted is refused before it is downloaded. Rejects with `InstallError`.
 */
export const preparePiper = async (installation: Installation): Promise<PreparedModel> => {
  const { model, options, fetch } = installation
  const fileOf = (isIt: (path: string) => boolean) => model.files.find(({ path }) => path !== undefined && isIt(path))
  const cardFile = fileOf((path) => path === 'MODEL_CARD')
  const configFile = fileOf((path) => path.endsWith('.onnx.json'))
  const modelFile = fileOf((path) => path.endsWith('.onnx'))
  if (configFile === undefined || modelFile === undefined) throw new Error(`${model.name} lacks files in the catalog`)

  const card = cardFile === undefined ? undefined : await fetch(cardFile).catch(withoutOptional(cardFile))
  const license = model.license.name ?? (await licenseOf(card?.path)) ?? 'not stated'
  await requireLicense(installation, noticeOf(model, license))
  const config = await fetch(configFile)
  const settings = await readPiperConfig(config.path, model.name).catch((error: unknown) => {
    if (!(error instanceof ModelFileError)) throw error
    throw new InstallError('unusable', `${model.name} cannot be used: ${error.message}.`, { cause: error })
  })
  const espeakData = await fetchEspeakData(installation)
  const weights = await fetch(modelFile)
  const source = {
    kind: 'piper' as const,
    name: model.name,
    model: weights.path,
    config: config.path,
    card: card?.path,
  }
  return {
    license,
    async fill(folder) {
      await convertPiper(source, settings, folder, { license })
      await addEspeakData(options.modelsDir, folder, espeakData)
    },
  }
}
