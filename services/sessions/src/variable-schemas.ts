import { z } from 'zod'

/** The parts of a list, without white space around them and without empty ones. */
export const commaSeparated = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** A scheme, a host and a path. Credentials would appear in logs, and a query would be lost. */
export const baseUrlSchema = (protocol: RegExp) =>
  z.url({ protocol, abort: true }).refine((url) => {
    const { username, password, search, hash } = new URL(url)
    return [username, password, search, hash].every((part) => part === '')
  }, 'only a scheme, a host and a path')
