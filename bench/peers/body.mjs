import { readFileSync } from 'node:fs'

/** The reply of every peer's service: the object in Parlance's own response. */
export const body = () => JSON.parse(readFileSync(process.env.BODY_FILE, 'utf8'))
