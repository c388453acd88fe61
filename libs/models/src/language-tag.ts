/** Converts names of languages in models to BCP 47 tags. */

const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })

const tagOfName = new Map<string, string>()
for (const first of 'abcdefghijklmnopqrstuvwxyz') {
  for (const second of 'abcdefghijklmnopqrstuvwxyz') {
    const name = names.of(first + second)?.toLowerCase()
    if (name !== undefined && !tagOfName.has(name)) tagOfName.set(name, first + second)
  }
}

/** Returns a tag in its canonical spelling; undefined when it is invalid or the language is unknown. */
const canonical = (tag: string): string | undefined => {
  try {
    const [spelled] = Intl.getCanonicalLocales(tag.replaceAll('_', '-'))
    return spelled !== undefined && names.of(spelled.split('-')[0]!) !== undefined ? spelled : undefined
  } catch {
    return undefined
  }
}

/** Returns the tags in `en_US`, `en-us`, `German` or `Chinese, English`, followed by the languages without a region. */
export const languageTags = (text: string): string[] => {
  const tags = text.split(/[,+&/]| and /).flatMap((part) => {
    const name = part.replace(/\(.*\)/, '').trim()
    const tag =
      tagOfName.get(name.toLowerCase()) ??
      (/^[a-z]{2,3}([-_][a-z0-9]{2,8})*$/i.test(name) ? canonical(name) : undefined)
    return tag === undefined ? [] : [tag]
  })
  return [...new Set([...tags, ...tags.map((tag) => tag.split('-')[0]!)])]
}
