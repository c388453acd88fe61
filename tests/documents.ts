import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** The text of a file of the repository, such as `docs/backup.md`. */
export const readDocument = (path: string): string => readFileSync(join(root, path), 'utf8')

/** The commands of a document that a test runs, by blocks: those of the language `sh` below the comment that says so. */
export const testedCommands = (text: string): string[] =>
  [...text.matchAll(/<!-- A test runs these commands\. -->\s*```sh\n([\s\S]*?)```/g)].map(([, commands = '']) =>
    commands.trim(),
  )
