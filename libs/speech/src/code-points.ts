const surrogatePair = /[\uD800-\uDBFF][\uDC00-\uDFFF]/g

/** A code point outside the basic plane takes two UTF-16 units. */
export const countCodePoints = (text: string): number => text.length - (text.match(surrogatePair)?.length ?? 0)
