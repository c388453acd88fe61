import { readFile } from 'node:fs/promises'
import { type Catalogue, catalogueSchema } from './catalogue-schema.js'

/** Reads a catalogue; by default the one that comes with Parlance. Rejects when the file is missing or no catalogue. */
export const readCatalogue = async (
  file: URL | string = new URL('../../catalogue/models.json', import.meta.url),
): Promise<Catalogue> => catalogueSchema.parse(JSON.parse(await readFile(file, 'utf8')))
