import type { Agent } from '@parlance/contracts'

/** Throws an error that the method declares. */
export type Fail<Code> = (code: Code, detail: string) => never

export const agentNotFound = 'There is no such Agent.'

/** `expected` is the version of the draft that the caller has read; null is any version. */
export const assertVersion = (
  { draft_revision }: Agent,
  expected: number | null,
  fail: Fail<'revision_conflict'>,
): void => {
  if (expected === null || draft_revision.version === expected) return
  fail('revision_conflict', `The draft is at version ${draft_revision.version}, not ${expected}. Read the Agent again.`)
}
