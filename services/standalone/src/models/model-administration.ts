import type { InstallableModel, ModelAdministration } from '@parlance/contracts'
import {
  type CatalogModel,
  chooseRecognizer,
  chooseVoice,
  machineMemoryBytes,
  sizeOfModel,
} from '@parlance/models/install'
import type { ModelInstaller } from './model-installer.js'

const installable = (model: CatalogModel): InstallableModel => {
  const { name, kind, display_name, languages, license } = model
  return {
    ...{ name, kind, display_name, languages, size_bytes: sizeOfModel(model) },
    ...{ license: license.name, license_source: license.source, license_lineage: license.lineage },
  }
}

/** Lets operators manage the models of the installation in the dashboard, which asks them to accept a license first. */
export const createModelAdministration = (installer: ModelInstaller): ModelAdministration => ({
  listInstalled: installer.list,
  listInstallable: async () => (await installer.readCatalog()).models.map(installable),
  async recommend(languages) {
    const { models } = await installer.readCatalog()
    return {
      tts: chooseVoice(models, languages)?.model.name ?? null,
      stt:
        [...languages, 'en']
          .map((language) => chooseRecognizer(models, language, machineMemoryBytes()))
          .find((chosen) => chosen !== undefined)?.model.name ?? null,
    }
  },
  install: installer.install,
  remove: installer.remove,
})
