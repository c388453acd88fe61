/** The instances that a request addresses, in place of any that is available. */
interface Addressee {
  /** The instances that serve the contract in this lane. One token of a subject. */
  readonly lane?: string | undefined
  /** One instance, by its id. */
  readonly instance?: string | undefined
}

/** The subject of a contract's method. */
export const subjectOf = (service: string, method: string, { lane, instance }: Addressee = {}): string => {
  let subject = `parlance.${service}.${method}`
  if (lane !== undefined) subject += `.${lane}`
  if (instance !== undefined) subject += `.${instance}`
  return subject
}

/** Matches subjects against a pattern with NATS wildcards: `*` is one token, a last `>` is one or more. */
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
