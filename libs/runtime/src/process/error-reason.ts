/**
 * The innermost reason of an error, in one line and without a full stop. The message of an adapter is for callers, which
 * must not learn the addresses of servers.
 */
export const reasonOf = (problem: unknown): string => {
  if (!(problem instanceof Error)) return String(problem)
  if (problem.cause instanceof Error) return reasonOf(problem.cause)
  const [first] = problem instanceof AggregateError ? (problem.errors as unknown[]) : []
  if (first instanceof Error) return reasonOf(first)
  const { code } = problem as NodeJS.ErrnoException
  return (problem.message || code || problem.name).trim().replaceAll(/\s+/g, ' ').replace(/\.$/, '')
}
