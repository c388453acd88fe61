import { readFileSync } from 'node:fs'

/** What every peer's service answers: the object that Parlance's own answer parses to. */
export const body = () => JSON.parse(readFileSync(process.env.BODY_FILE, 'utf8'))
