import { withoutMarks } from '../llm/marks.js'

export interface Filled {
  readonly text: string
  /** The names that nobody gave a value, each once. They leave nothing. */
  readonly unknown: readonly string[]
}

const variable = /\{\{\s*([A-Za-z_][A-Za-z0-9_]{0,63})\s*\}\}/g

/** Puts values in the place of `{{name}}`. They are data: what looks like a name in one stays as it is, and marks are taken out. */
export const fillVariables = (
  text: string,
  values: Readonly<Record<string, string>>,
  mostCharacters: number,
): Filled => {
  const unknown = new Set<string>()
  const filled = text.replace(variable, (_, name: string) => {
    if (Object.hasOwn(values, name)) return withoutMarks(values[name]!)
    unknown.add(name)
    return ''
  })
  return { text: filled.slice(0, mostCharacters), unknown: [...unknown] }
}
