import { problemOf } from '../../api/problem.js'
import type { PublishCheck } from '../agent.js'
import { fieldPathOf } from '../fields.js'

type Problem = PublishCheck['problems'][number]

const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** The error of a refused save for one field: `{ slug: 'Must be …' }`. Empty when it does not concern a field. */
export const fieldErrorOf = (error: unknown): Record<string, string> => {
  const { code, detail } = problemOf(error)
  if (code === 'slug_taken') return { slug: detail }
  const [, place = '', message = ''] = /^([a-z_.0-9]+): (.+)$/s.exec(detail) ?? []
  const path = code === 'invalid_request' ? fieldPathOf(place) : undefined
  return path === undefined ? {} : { [path]: capitalized(message) }
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
