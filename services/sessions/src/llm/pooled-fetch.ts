import type { EgressGuard } from '@parlance/egress'
import { Agent, type RequestInit, fetch as undiciFetch } from 'undici'

const connectTimeoutMs = 5_000
/** Longer than the usual pause between two turns, so that the next reply needs no new TLS handshake. */
const keepAliveMs = 120_000
/** Hours of speech at about 250 bytes a token. */
const maxResponseBytes = 8 * 1024 * 1024

/**
 * `fetch` over persistent connections. Redirects are not followed, since requests carry a key for the configured server only.
 * Compression is off, since it would delay words. `guard` is for addresses that customers chose.
 */
export const createPooledFetch = (guard?: EgressGuard, maxResponseSize = maxResponseBytes): typeof globalThis.fetch => {
  const dispatcher = new Agent({
    connect: guard?.connect ?? { timeout: connectTimeoutMs },
    keepAliveTimeout: keepAliveMs,
    maxResponseSize,
    // The caller limits the time to each part of a reply.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  const pooledFetch = async (url: string | URL, init: RequestInit = {}) => {
    const headers = { ...(init.headers as Record<string, string>), 'accept-encoding': 'identity' }
    return undiciFetch(guard?.addressOf(String(url)) ?? url, { ...init, headers, redirect: 'manual', dispatcher })
  }
  return pooledFetch as unknown as typeof globalThis.fetch
}
