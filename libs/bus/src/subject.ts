/** Whom a call is for, where it is not for whichever instance is free. */
export interface Addressee {
  /** Those that serve the contract in this lane; a single token of a subject. */
  readonly lane?: string | undefined
  /** That one of them, by its instance id. */
  readonly instance?: string | undefined
}

/** The subject of a contract's method, in a lane of it if one is named, for one instance alone if one is named. */
export const subjectOf = (service: string, method: string, { lane, instance }: Addressee = {}): string => {
  let subject = `parlance.${service}.${method}`
  if (lane !== undefined) subject += `.${lane}`
  if (instance !== undefined) subject += `.${instance}`
  return subject
}

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
