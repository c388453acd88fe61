import { rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { InstallError, writeFailure } from '../folder/install-error.js'
import { checkModelName } from '../folder/publish-folder.js'

/**
 * Removes a model from `modelsDir`: it disappears at once for readers of the folder, and its files are then deleted.
 * Rejects with `InstallError`.
 */
export const removeModel = async (modelsDir: string, name: string): Promise<void> => {
  checkModelName(name)
  const folder = join(modelsDir, name)
  const status = await stat(folder).catch(() => undefined)
  if (status?.isDirectory() !== true) {
    throw new InstallError('not_installed', `There is no model ${name} in ${modelsDir}. See \`parlance models list\`.`)
  }
  const removed = join(modelsDir, `.${name}.${process.pid}.removed`)
  try {
    await rename(folder, removed)
    await rm(removed, { recursive: true, force: true })
  } catch (error) {
    throw writeFailure(error, folder)
  }
}
