import { z } from 'zod'

const label = '[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?'
const name = `(${label}\\.)*[a-z]([a-z0-9-]*[a-z0-9])?`
const octet = '(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])'
const port = '([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])'

/** Says what an origin looks like. What is left to the URL parser: IPv6 addresses, punycode, and a port that is the scheme's own. */
const pattern = new RegExp(`^https?://(${name}|(${octet}\\.){3}${octet}|\\[[0-9a-f:]+\\])(:${port})?$`)

const isOrigin = (origin: string): boolean => URL.canParse(origin) && new URL(origin).origin === origin

const error = 'must be an origin such as "https://app.example.com"'

/** The origin of a page, as browsers send it. */
export const originSchema = z.string().max(255).regex(pattern, { error }).refine(isOrigin, { error })
