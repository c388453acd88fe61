/** Languages as models name them, made into BCP 47 tags. */

const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })

const tagOfName = new Map<string, string>()
for (const first of 'abcdefghijklmnopqrstuvwxyz') {
  for (const second of 'abcdefghijklmnopqrstuvwxyz') {
    const name = names.of(first + second)?.toLowerCase()
    if (name !== undefined && !tagOfName.has(name)) tagOfName.set(name, first + second)
  }
}

/** A tag in its usual spelling; undefined when it is none or nobody knows the language. */
const canonical = (tag: string): string | undefined => {
  try {
    const [spelled] = Intl.getCanonicalLocales(tag.replaceAll('_', '-'))
    return spelled !== undefined && names.of(spelled.split('-')[0]!) !== undefined ? spelled : undefined
  } catch {
    return undefined
  }
}

/** From `en_US`, `en-us`, `German` or `Chinese, English`: the tags, and after one with a region the language alone. */
export const languageTags = (said: string): string[] => {
  const tags = said.split(/[,+&/]| and /).flatMap((part) => {
    const name = part.replace(/\(.*\)/, '').trim()
    const tag =
      tagOfName.get(name.toLowerCase()) ??
      (/^[a-z]{2,3}([-_][a-z0-9]{2,8})*$/i.test(name) ? canonical(name) : undefined)
    return tag === undefined ? [] : [tag]
  })
  return [...new Set([...tags, ...tags.map((tag) => tag.split('-')[0]!)])]
}
