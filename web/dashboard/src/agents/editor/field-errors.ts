import { problemOf, refusedFieldOf } from '../../api/problem.js'
import type { PublishCheck } from '../agent.js'
import { fieldPathOf } from '../fields.js'

type Problem = PublishCheck['problems'][number]

/** What a refused save says about one field: `{ slug: 'Must be …' }`. Empty when it says nothing about a field. */
export const fieldErrorOf = (error: unknown): Record<string, string> => {
  const { code, detail } = problemOf(error)
  if (code === 'slug_taken') return { slug: detail }
  const refused = refusedFieldOf(error)
  const path = refused && fieldPathOf(refused.name)
  return path === undefined ? {} : { [path]: refused!.message }
}

/** What a check found, by the paths of the fields. */
export const fieldErrorsOf = (problems: readonly Problem[]): Record<string, string> =>
  Object.fromEntries(
    problems.flatMap(({ field, detail }) => {
      const path = fieldPathOf(field)
      return path === undefined ? [] : [[path, detail]]
    }),
  )

export const isRevisionConflict = (error: unknown): boolean => problemOf(error).code === 'revision_conflict'
