import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { InstallError, writeFailure } from './install-error.js'

const exists = async (path: string): Promise<boolean> => (await stat(path).catch(() => undefined)) !== undefined

/** Names of models are names of folders, on every system. */
const folderName = /^[A-Za-z0-9][\p{L}0-9._-]{0,99}$/u

/** Throws `InstallError` unless `name` can be the folder of a model. */
export const checkModelName = (name: string): void => {
  if (folderName.test(name)) return
  throw new InstallError('unusable', `"${name}" cannot be a model's name: it takes letters, digits, dots, "_" and "-".`)
}

/** Throws `InstallError` when there is a model of that name. */
export const checkAbsent = async (modelsDir: string, name: string): Promise<void> => {
  if (!(await exists(join(modelsDir, name)))) return
  throw new InstallError(
    'exists',
    `There is a model ${name} in ${modelsDir}: \`parlance models remove ${name}\` removes it.`,
  )
}

let stagingCount = 0

/**
 * Makes a folder beside the models, hidden from what reads them, lets `fill` fill it, and renames it to `name` at once.
 * With `replace` an installed model of that name goes at the same moment. Whatever fails, nothing half-done is left.
 */
export const publishFolder = async (
  { modelsDir, name, replace }: { modelsDir: string; name: string; replace: boolean },
  fill: (folder: string) => Promise<void>,
): Promise<string> => {
  checkModelName(name)
  const target = join(modelsDir, name)
  if (!replace) await checkAbsent(modelsDir, name)
  const staging = join(modelsDir, `.${name}.${process.pid}.${++stagingCount}`)
  const replaced = `${staging}.replaced`
  try {
    await mkdir(staging, { recursive: true }).catch((error: unknown) => {
      throw writeFailure(error, staging)
    })
    await fill(staging)
    if (replace && (await exists(target))) await rename(target, replaced)
    await rename(staging, target).catch(async (error: unknown) => {
      if (await exists(replaced)) await rename(replaced, target)
      throw writeFailure(error, target)
    })
    return target
  } finally {
    await rm(staging, { recursive: true, force: true })
    await rm(replaced, { recursive: true, force: true })
  }
}
