import { type Catalogue, type CatalogueModel, sizeOfModel } from '@parlance/models/install'
import type { Column } from '../table.js'
import { megabytes } from './finding.js'

/** Whether a file is pinned at its first installation, for want of a SHA-256 in the catalogue. */
const isTrustedOnFirstUse = ({ files }: CatalogueModel): boolean =>
  files.some(({ sha256, optional }) => sha256 === null && !optional)

export const catalogueJsonOf = (model: CatalogueModel) => ({
  name: model.name,
  kind: model.kind,
  format: model.format,
  display_name: model.display_name,
  collection: model.collection,
  languages: model.languages,
  speakers: model.speakers,
  sample_rate: model.sample_rate,
  size_bytes: sizeOfModel(model),
  memory_bytes: model.memory_bytes,
  license: model.license.name,
  license_permissive: model.license.permissive,
  license_source: model.license.source,
  license_lineage: model.license.lineage,
  trusted_on_first_use: isTrustedOnFirstUse(model),
  files: model.files.map(({ url, size_bytes, md5, sha256 }) => ({ url, size_bytes, md5, sha256 })),
})

/** The addresses that a mirror needs for the model. Original Piper models need the data of eSpeak NG. */
export const mirrorUrlsOf = ({ format, files }: CatalogueModel, { espeak_data }: Catalogue): string[] => [
  ...files.map(({ url }) => url),
  ...(format === 'piper' ? [espeak_data.url] : []),
]

const maxShownLanguages = 5

const languagesOf = ({ languages }: CatalogueModel): string => {
  if (languages.length === 0) return 'any'
  return languages.length > maxShownLanguages ? `${languages.length} languages` : languages.join(', ')
}

const sizeOf = (model: CatalogueModel): string => {
  const size = sizeOfModel(model)
  return size === null ? '?' : megabytes(size)
}

export const catalogueColumns: Column<CatalogueModel>[] = [
  { title: 'NAME', cell: ({ name }) => name },
  { title: 'KIND', cell: ({ kind }) => kind },
  { title: 'LANGUAGES', cell: languagesOf },
  { title: 'SIZE', cell: sizeOf, align: 'right' },
  { title: 'LICENCE', cell: ({ license }) => license.name ?? 'on its card' },
]
