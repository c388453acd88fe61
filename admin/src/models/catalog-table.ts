import type { Column } from '@parlance/cli'
import { type Catalog, type CatalogModel, sizeOfModel } from '@parlance/models/install'
import { megabytes } from './finding.js'

/** Whether a file is pinned at its first installation, because the catalog has no SHA-256. */
const isTrustedOnFirstUse = ({ files }: CatalogModel): boolean =>
  files.some(({ sha256, optional }) => sha256 === null && !optional)

export const catalogJsonOf = (model: CatalogModel) => ({
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
export const mirrorUrlsOf = ({ format, files }: CatalogModel, { espeak_data }: Catalog): string[] => [
  ...files.map(({ url }) => url),
  ...(format === 'piper' ? [espeak_data.url] : []),
]

const maxShownLanguages = 5

const languagesOf = ({ languages }: CatalogModel): string => {
  if (languages.length === 0) return 'any'
  return languages.length > maxShownLanguages ? `${languages.length} languages` : languages.join(', ')
}

const sizeOf = (model: CatalogModel): string => {
  const size = sizeOfModel(model)
  return size === null ? '?' : megabytes(size)
}

export const catalogColumns: Column<CatalogModel>[] = [
  { title: 'NAME', cell: ({ name }) => name },
  { title: 'KIND', cell: ({ kind }) => kind },
  { title: 'LANGUAGES', cell: languagesOf },
  { title: 'SIZE', cell: sizeOf, align: 'right' },
  { title: 'LICENSE', cell: ({ license }) => license.name ?? 'on its card' },
]
