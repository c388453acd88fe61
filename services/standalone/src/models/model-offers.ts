import type { ModelOffers, OfferedModel } from '@parlance/contracts'
import {
  type ChosenModel,
  chooseRecognizer,
  chooseVoice,
  findEspeakData,
  machineMemoryBytes,
} from '@parlance/models/install'
import type { ModelInstaller } from './model-installer.js'

interface ModelOffersOptions {
  readonly installer: ModelInstaller
  readonly modelsDir: string
  /** The workspace whose keys may install models; undefined while there is none. */
  readonly findWorkspaceId: () => Promise<string | undefined>
}

const offerOf = ({ model, language, sizeBytes }: ChosenModel): OfferedModel => {
  const { name, display_name, license } = model
  const { name: licenseName, source, lineage } = license
  return {
    name,
    display_name,
    language,
    size_bytes: sizeBytes,
    licenses: [{ of: display_name, license: licenseName, source, lineage }],
  }
}

/** Lets pages install a voice of the catalog, with the data of eSpeak NG where the machine has none, or a recognizer. */
export const createModelOffers = ({ installer, modelsDir, findWorkspaceId }: ModelOffersOptions): ModelOffers => ({
  findWorkspaceId,
  async findVoice(languages) {
    const { models, espeak_data: data } = await installer.readCatalog()
    const chosen = chooseVoice(models, languages)
    if (chosen === undefined) return undefined
    const offer = offerOf(chosen)
    const needsData = chosen.model.format === 'piper' && (await findEspeakData(modelsDir)) === undefined
    if (!needsData) return offer
    return {
      ...offer,
      size_bytes: offer.size_bytes === null ? null : offer.size_bytes + data.size_bytes,
      licenses: [
        ...offer.licenses,
        { of: 'eSpeak NG’s data', license: data.license, source: data.source, lineage: null },
      ],
    }
  },
  async findRecognizer(language) {
    const { models } = await installer.readCatalog()
    const chosen = chooseRecognizer(models, language, machineMemoryBytes())
    return chosen && offerOf(chosen)
  },
  install: installer.install,
})
