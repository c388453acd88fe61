import type { CatalogueModel } from '../catalogue/catalogue-schema.js'
import type { InstallRecord } from './install-record.js'

/** Whether the catalogue now names other files than those that were installed. Optional files do not count. */
export const isOutdated = ({ files }: CatalogueModel, record: InstallRecord): boolean =>
  files.some(({ url, size_bytes, sha256, optional }) => {
    if (optional) return false
    const installed = record.files.find((file) => file.url === url)
    if (installed === undefined) return true
    if (sha256 !== null) return installed.sha256 !== sha256
    return size_bytes !== null && installed.size_bytes !== size_bytes
  })
