import { readFile } from 'node:fs/promises'
import { type Catalog, catalogSchema } from './catalog-schema.js'

/** Reads a catalog; by default the one that comes with Parlance. Rejects when the file is missing or is not a catalog. */
export const readCatalog = async (
  file: URL | string = new URL('../../catalog/models.json', import.meta.url),
): Promise<Catalog> => catalogSchema.parse(JSON.parse(await readFile(file, 'utf8')))
