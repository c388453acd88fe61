export {
  type Catalog,
  type CatalogFile,
  type CatalogKind,
  type CatalogModel,
  catalogKinds,
  catalogSchema,
  sizeOfModel,
} from '../catalog/catalog-schema.js'
export { readCatalog } from '../catalog/read-catalog.js'
export { type CatalogQuery, searchCatalog } from '../catalog/search-catalog.js'
export { InstallError, type InstallFailure } from '../folder/install-error.js'
export { findChangedFiles, type InstallRecord, isOutdated, readInstallRecord } from '../folder/install-record.js'
export { findEspeakData } from '../import/espeak-data.js'
export { type ImportedModel, type ImportOptions, importModels } from '../import/import-models.js'
export { type ChosenModel, chooseRecognizer, chooseVoice } from './choose-model.js'
export { type InstalledModel, installModel } from './install-model.js'
export type { InstallOptions, LicenseNotice } from './installation.js'
export { machineMemoryBytes } from './machine-memory.js'
export { removeModel } from './remove-model.js'
