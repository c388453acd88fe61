import type { Catalog, CatalogFile, CatalogModel } from '../catalog/catalog-schema.js'
import { InstallError } from '../folder/install-error.js'
import type { findEspeakData } from '../import/espeak-data.js'
import type { FetchedFile, FetchOptions } from './fetch-catalog-file.js'

/** The license that is shown before a model is installed. */
export interface LicenseNotice {
  readonly model: string
  readonly license: string
  /** Where it is stated. */
  readonly source: string
  readonly lineage: string | null
}

/** Where and how a model is installed. */
export interface InstallOptions extends Omit<FetchOptions, 'downloads'> {
  readonly modelsDir: string
  /** Resolves to whether the license is accepted. */
  acceptLicense(notice: LicenseNotice): Promise<boolean>
  /** A folder of eSpeak NG's data. Default: the data that the models already share, else the system's, else a download. */
  readonly espeakData?: string | undefined
  /** Finds the data of eSpeak NG on this machine. Default: where systems keep it. */
  readonly findEspeakData?: typeof findEspeakData | undefined
  /** Whether to replace an installed model of the same name when the new one is complete. Default false. */
  readonly replace?: boolean | undefined
  /** How much memory a process may take. Default: no limit. */
  readonly memoryBytes?: number | undefined
  /** Measures the model in its folder, before it is installed. */
  readonly measure?: ((folder: string) => Promise<void>) | undefined
}

/** What is being installed, and how its files are fetched. */
export interface Installation {
  readonly model: CatalogModel
  readonly catalog: Catalog
  readonly options: InstallOptions
  /** Fetches a file and notes it for the record. */
  fetch(file: CatalogFile): Promise<FetchedFile>
}

/** A model whose files are on the disk and whose license was accepted. */
export interface PreparedModel {
  readonly license: string
  /** Writes the model into an empty folder, in the form that is used. */
  fill(folder: string): Promise<void>
}

/** Rejects with `InstallError` unless the license is accepted. */
export const requireLicense = async ({ options }: Installation, notice: LicenseNotice): Promise<void> => {
  if (await options.acceptLicense(notice)) return
  const { model, license } = notice
  throw new InstallError(
    'license_not_accepted',
    `${model} is not installed: its license (${license}) was not accepted. Use \`--accept-license\` to accept it.`,
  )
}

/** What is shown of a model's license. */
export const noticeOf = ({ name, license: { source, lineage } }: CatalogModel, license: string): LicenseNotice => ({
  model: name,
  license,
  source,
  lineage,
})

/** Handles a failed file: returns undefined when the model works without it, and throws any other error. */
export const withoutOptional =
  ({ optional }: CatalogFile) =>
  (error: unknown): undefined => {
    const isMissing = error instanceof InstallError && ['gone', 'refused', 'wrong_content'].includes(error.failure)
    if (optional === true && isMissing) return undefined
    throw error
  }
