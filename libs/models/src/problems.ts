import { ModelFileError } from './model-file.js'

/** Collects the problems of a folder's files, one line each. */
export interface Problems {
  readonly problems: string[]
  /** Calls `work` and collects a `ModelFileError` as a problem; resolves with undefined then. Other errors are rethrown. */
  attempt<Result>(work: () => Result | Promise<Result>): Promise<Result | undefined>
}

export const createProblems = (): Problems => {
  const problems: string[] = []
  return {
    problems,
    attempt: async (work) => {
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof ModelFileError)) throw error
        problems.push(error.message)
        return undefined
      }
    },
  }
}
