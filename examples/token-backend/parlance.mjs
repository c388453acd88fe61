// @ts-check
import createClient from 'openapi-fetch'

/** @typedef {import('openapi-fetch').Client<import('./parlance-api.js').paths>} Parlance */

/**
 * The API, typed by `parlance-api.d.ts`, which `npm run generate` makes from the OpenAPI document. The key stays in this process.
 *
 * @param {string} url
 * @param {string} apiKey
 * @returns {Parlance}
 */
export const createParlance = (url, apiKey) =>
  createClient({ baseUrl: url, headers: { authorization: `Bearer ${apiKey}` } })

/** Turns a connection error into an answer with an error. */
export const failureOf = () => ({ data: undefined, error: { detail: 'The voice service cannot be reached.' } })
