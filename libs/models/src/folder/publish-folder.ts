import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { readFolder } from '../models-folder.js'
import { InstallError, writeFailure } from './install-error.js'

const exists = async (path: string): Promise<boolean> => (await stat(path).catch(() => undefined)) !== undefined

/** Names of models are names of folders, on every system. */
const folderName = /^[A-Za-z0-9][\p{L}0-9._-]{0,99}$/u

/** Throws `InstallError` unless `name` can be the folder of a model. */
export const checkModelName = (name: string): void => {
  if (folderName.test(name)) return
  throw new InstallError('unusable', `"${name}" cannot be a model's name: use letters, digits, dots, "_" and "-".`)
}

/** Throws `InstallError` when there is a model of that name. */
export const checkAbsent = async (modelsDir: string, name: string): Promise<void> => {
  if (!(await exists(join(modelsDir, name)))) return
  throw new InstallError(
    'exists',
    `The model ${name} is already in ${modelsDir}. Remove it with \`parlance models remove ${name}\`.`,
  )
}

let stagingCount = 0

/**
 * Creates a hidden folder beside the models, lets `fill` write its files, and then renames it to `name` atomically.
 * With `replace` this removes an installed model of that name. A failure leaves no incomplete folder.
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

/** Throws `InstallError` unless the folder can be used. */
export const checkFolder = async (folder: string, name: string): Promise<void> => {
  const { reading } = await readFolder(folder)
  if (!('problems' in reading)) return
  throw new InstallError('unusable', `${name} cannot be used: ${reading.problems.join('; ')}.`, {
    lines: [`${name} cannot be used:`, ...reading.problems.map((problem) => `  ${problem}.`)],
  })
}
