import { z } from 'zod'

/** The response headers of what must never be cached, such as a token. */
export const noStoreHeader = { 'cache-control': z.literal('no-store') }
