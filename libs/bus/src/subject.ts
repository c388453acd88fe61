/** The subject of a contract's method; with `instance`, the one that only that instance listens to. */
export const subjectOf = (service: string, method: string, instance?: string): string =>
  instance === undefined ? `parlance.${service}.${method}` : `parlance.${service}.${method}.${instance}`

/** Whether a subject falls under a pattern with NATS wildcards: `*` is one token, a last `>` is one or more. */
export const createSubjectMatcher = (pattern: string): ((subject: string) => boolean) => {
  const wanted = pattern.split('.')
  return (subject) => {
    const tokens = subject.split('.')
    for (const [index, token] of wanted.entries()) {
      if (token === '>') return tokens.length > index
      if (index >= tokens.length || (token !== '*' && token !== tokens[index])) return false
    }
    return tokens.length === wanted.length
  }
}
