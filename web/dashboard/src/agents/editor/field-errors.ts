import { problemOf, refusedFieldOf } from '../../api/problem.js'
import type { PublishCheck } from '../agent.js'
import { fieldPathOf } from '../fields.js'

type Problem = PublishCheck['problems'][number]

/** The error of a refused save for one field: `{ slug: 'Must be …' }`. Empty when it does not concern a field. */
export const fieldErrorOf = (error: unknown): Record<string, string> => {
  const { code, detail } = problemOf(error)
  if (code === 'slug_taken') return { slug: detail }
  const refused = refusedFieldOf(error)
  const path = refused && fieldPathOf(refused.name)
  return path === undefined ? {} : { [path]: refused!.message }
}

/** The problems of a check, by the paths of the fields. */
export const fieldErrorsOf = (problems: readonly Problem[]): Record<string, string> =>
  Object.fromEntries(
    problems.flatMap(({ field, detail }) => {
      const path = fieldPathOf(field)
      return path === undefined ? [] : [[path, detail]]
    }),
  )

export const isRevisionConflict = (error: unknown): boolean => problemOf(error).code === 'revision_conflict'
