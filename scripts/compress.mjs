import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'

/** Writes a copy of each text file in a folder for each encoding that the gateway may send: NAME.br and NAME.gz. */
export const compressFiles = async (folder) => {
  const names = await readdir(folder, { recursive: true })
  const compress = async (name) => {
    const bytes = await readFile(join(folder, name))
    await writeFile(join(folder, `${name}.br`), await promisify(brotliCompress)(bytes))
    await writeFile(join(folder, `${name}.gz`), await promisify(gzip)(bytes, { level: 9 }))
  }
  await Promise.all(names.filter((name) => /\.(html|js|css|svg|json)$/.test(name)).map(compress))
}
