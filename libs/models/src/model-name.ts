import { createHash } from 'node:crypto'

const shortened = (name: string, maxLength: number): string =>
  name.length <= maxLength
    ? name
    : `${name.slice(0, maxLength - 9)}-${createHash('sha256').update(name).digest('hex').slice(0, 8)}`

const onlyOf = (name: string, others: RegExp) => name.replace(others, '-').replace(/^-+|-+$/g, '') || 'model'

/** Returns a folder's name in at most 48 lower-case letters, digits and hyphens. */
export const modelSlug = (folder: string): string => shortened(onlyOf(folder.toLowerCase(), /[^a-z0-9]+/g), 48)

/** Returns the name of the engine of a folder's model, for an entry of the configuration; at most 63 characters. */
export const modelEngineName = (entry: string, folder: string): string => shortened(`${entry}-${modelSlug(folder)}`, 63)

/** Returns the id of a model's variant: the folder's name, at most 64 characters. */
export const variantId = (folder: string): string => shortened(onlyOf(folder, /[^A-Za-z0-9._-]+/g), 64)

const qualities =
  /^(x_low|low|medium|high|int8|fp16|vits|piper|matcha|icefall|coqui|mimic3|mms|hf|[a-z]{2,3}_[A-Z]{2})$/

/** Returns a display name: `vits-piper-en_US-amy-low` is Amy. */
export const modelDisplayName = (folder: string): string => {
  const name = folder
    .split('-')
    .filter((part) => !qualities.test(part))
    .join(' ')
    .replaceAll('_', ' ')
    .trim()
  return name === '' ? folder : name.charAt(0).toUpperCase() + name.slice(1)
}
