/** Returns the well-formed tags in their canonical spelling, each once. A name such as `english` is not a tag. */
export const listedLanguages = (tags: readonly (string | null | undefined)[]): string[] => [
  ...new Set(
    tags.flatMap((tag) => (tag && /^[a-z]{2,3}([-_]|$)/i.test(tag) ? canonical(tag.replaceAll('_', '-')) : [])),
  ),
]

const canonical = (tag: string): string[] => {
  try {
    return Intl.getCanonicalLocales(tag)
  } catch {
    return []
  }
}

/** As `listedLanguages`, or the fallback where there is none. */
export const languagesOr = (tags: readonly (string | null | undefined)[], fallback: string): string[] => {
  const listed = listedLanguages(tags)
  return listed.length === 0 ? [fallback] : listed
}
