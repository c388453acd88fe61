export {
  type Catalog,
  type CatalogFile,
  type CatalogKind,
  type CatalogModel,
  catalogKinds,
  readCatalog,
  searchCatalog,
  sizeOfModel,
} from '../catalog.js'
export { InstallError, type InstallFailure } from '../folder/install-error.js'
export { findChangedFiles, type InstallRecord, isOutdated, readInstallRecord } from '../folder/install-record.js'
export { findEspeakData } from '../import/espeak-data.js'
export { type ImportedModel, type ImportOptions, importModels } from '../import/import-models.js'
export { type ChosenModel, chooseRecognizer, chooseVoice } from './choose-model.js'
export { type InstalledModel, installModel, removeModel } from './install-model.js'
export { machineMemoryBytes } from './model-room.js'
export type { InstallOptions, LicenseNotice } from './prepare-model.js'
