export {
  type Catalogue,
  type CatalogueFile,
  type CatalogueKind,
  type CatalogueModel,
  catalogueKinds,
  catalogueSchema,
  sizeOfModel,
} from '../catalogue/catalogue-schema.js'
export { readCatalogue } from '../catalogue/read-catalogue.js'
export { type CatalogueQuery, searchCatalogue } from '../catalogue/search-catalogue.js'
export { InstallError, type InstallFailure } from '../folder/install-error.js'
export { findChangedFiles, type InstallRecord, isOutdated, readInstallRecord } from '../folder/install-record.js'
export { findEspeakData } from '../import/espeak-data.js'
export { type ImportedModel, type ImportOptions, importModels } from '../import/import-models.js'
export { type ChosenModel, chooseRecognizer, chooseVoice } from './choose-model.js'
export { type InstalledModel, installModel } from './install-model.js'
export type { InstallOptions, LicenseNotice } from './installation.js'
export { machineMemoryBytes } from './machine-memory.js'
export { removeModel } from './remove-model.js'
