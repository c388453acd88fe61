import type { FoundFolder } from '@parlance/models'
import { reasonOf } from '@parlance/runtime/process'
import { type CheckContext, error, type Finding, ok, skipped, warning } from '../check.js'

const checkFolder = async ({ models }: CheckContext, { name, path, reading }: FoundFolder): Promise<Finding[]> => {
  const again = `Run \`npx parlance models remove ${name}\`, then install it again.`
  if ('problems' in reading) return [error(`The model ${name} cannot be used: ${reading.problems.join('; ')}.`, again)]
  const record = await models.readRecord(path)
  if (record === undefined) {
    return [
      warning(
        `The model ${name} has no record of its files.`,
        'Install it with `npx parlance models install` or `import`.',
      ),
    ]
  }
  const changed = await models.findChangedFiles(path, record)
  return changed.length === 0
    ? [ok(`The ${record.content.length} files of ${name} are unchanged.`)]
    : [error(`The model ${name} has changed since its installation: ${changed.join('; ')}.`, again)]
}

/** The hashes of the files of local models. */
export const checkModels = async (context: CheckContext): Promise<Finding[]> => {
  const { models, modelsDir } = context
  let folders: readonly FoundFolder[]
  try {
    folders = await models.findModels(modelsDir)
  } catch (problem) {
    return [error(`The models folder ${modelsDir} cannot be read: ${reasonOf(problem)}.`, 'Correct MODELS_DIR.')]
  }
  if (folders.length === 0) return [skipped(`There is no model in ${modelsDir}.`)]
  const findings: Finding[] = []
  // One after the other, because they are read from the same disk.
  for (const folder of folders) findings.push(...(await checkFolder(context, folder)))
  return findings
}
