import * as z from 'zod/mini'

type Shape = Readonly<Record<string, z.ZodMiniType>>

/** For `validateSearch`: returns a function that keeps the valid parameters of a URL, and drops the rest. */
export const searchOf =
  <Search extends Shape>(shape: Search) =>
  (search: Record<string, unknown>): { [Name in keyof Search]?: z.output<Search[Name]> } => {
    const results = Object.entries(shape).map(([name, schema]) => [name, z.safeParse(schema, search[name])] as const)
    return Object.fromEntries(results.flatMap(([name, { success, data }]) => (success ? [[name, data]] : []))) as never
  }

/** The names of an object's properties, as the values of a parameter. */
export const keyOf = <Key extends string>(object: Readonly<Record<Key, unknown>>) =>
  z.enum(Object.keys(object) as Key[])
