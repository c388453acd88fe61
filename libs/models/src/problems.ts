import { ModelFileError } from './model-file.js'

/** What is wrong with the files of a folder, one line each. */
export interface Problems {
  readonly problems: string[]
  /** Notes what is wrong with a file and goes on, so that all of it is told at once. */
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
