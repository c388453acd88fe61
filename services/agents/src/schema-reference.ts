const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Resolves a reference such as `#/$defs/place` in `root`. Undefined when there is no schema at it. */
export const referencedSchema = (root: unknown, reference: string): Record<string, unknown> | boolean | undefined => {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined
  let value = root
  for (const step of reference.split('/').slice(1)) {
    const name = decodeStep(step)
    if (name === undefined || !isObject(value) || !Object.hasOwn(value, name)) return undefined
    value = value[name]
  }
  if (typeof value === 'boolean') return value
  return isObject(value) && !Array.isArray(value) ? value : undefined
}

const decodeStep = (step: string): string | undefined => {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return undefined
  }
}
