import { withoutMarks } from '../llm/marks.js'

export interface Filled {
  readonly text: string
  /** The names without a value, each once. They are replaced by nothing. */
  readonly unknown: readonly string[]
}

const variable = /\{\{\s*([A-Za-z_][A-Za-z0-9_]{0,63})\s*\}\}/g

/**
 * Replaces each `{{name}}` by its value. Values are data: a name in a value is not replaced, and the marks that separate the
 * parts of a prompt are removed from it.
 */
export const fillVariables = (
  text: string,
  values: Readonly<Record<string, string>>,
  maxCharacters: number,
): Filled => {
  const unknown = new Set<string>()
  const filled = text.replace(variable, (_, name: string) => {
    if (Object.hasOwn(values, name)) return withoutMarks(values[name]!)
    unknown.add(name)
    return ''
  })
  return { text: filled.slice(0, maxCharacters), unknown: [...unknown] }
}
