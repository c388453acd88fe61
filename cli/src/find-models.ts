import { type FoundFolder, readModelsFolder } from '@parlance/models'
import { StartupError } from '@parlance/runtime'

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'There is no folder',
  ENOTDIR: 'Not a folder:',
  EACCES: 'Not allowed to read the folder',
}

/** Rejects with `StartupError` when the folder cannot be read. */
export const findModels = async (modelsDir: string): Promise<readonly FoundFolder[]> => {
  try {
    return await readModelsFolder(modelsDir)
  } catch (error) {
    const reason = reasons[(error as NodeJS.ErrnoException).code ?? '']
    if (reason === undefined) throw error
    throw new StartupError([`${reason} ${modelsDir}: name that of the models with --models-dir.`], { cause: error })
  }
}
