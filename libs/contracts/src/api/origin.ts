import { z } from 'zod'

const label = '[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?'
const name = `(${label}\\.)*[a-z]([a-z0-9-]*[a-z0-9])?`
const octet = '(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])'
const port = '([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])'

/** The form of an origin. The URL parser checks the rest: IPv6 addresses, punycode, and the default port of the scheme. */
const pattern = new RegExp(`^https?://(${name}|(${octet}\\.){3}${octet}|\\[[0-9a-f:]+\\])(:${port})?$`)

const isOrigin = (origin: string): boolean => URL.canParse(origin) && new URL(origin).origin === origin

const error = 'must be an origin such as "https://app.example.com"'

/** The origin of a page, as browsers send it. */
export const originSchema = z.string().max(255).regex(pattern, { error }).refine(isOrigin, { error })
