import { readFolder } from '../models-folder.js'
import { InstallError } from './install-error.js'

/** Throws `InstallError` unless the folder can be used. */
export const checkFolder = async (folder: string, name: string): Promise<void> => {
  const { reading } = await readFolder(folder)
  if (!('problems' in reading)) return
  throw new InstallError('unusable', `${name} cannot be used: ${reading.problems.join('; ')}.`, {
    lines: [`${name} cannot be used:`, ...reading.problems.map((problem) => `  ${problem}.`)],
  })
}
