// @ts-check
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** @typedef {{ url: string, apiKey: string, slug: string }} Settings */

/** The file that `npm start` of Parlance writes for scripts on the same machine. */
const developmentFile = fileURLToPath(new URL('../../.parlance/dev.json', import.meta.url))

const readDevelopmentFile = () => {
  try {
    return JSON.parse(readFileSync(developmentFile, 'utf8'))
  } catch {
    return {}
  }
}

/** @returns {Settings} */
export const settings = () => {
  const { PARLANCE_URL, PARLANCE_API_KEY, AGENT_SLUG = 'example-guide' } = process.env
  const development = PARLANCE_API_KEY === undefined ? readDevelopmentFile() : {}
  const url = PARLANCE_URL ?? development.url
  const apiKey = PARLANCE_API_KEY ?? development.api_key
  if (url === undefined || apiKey === undefined) {
    console.error('Set PARLANCE_URL and PARLANCE_API_KEY, or start Parlance on this machine first: npm start')
    process.exit(1)
  }
  return { url, apiKey, slug: AGENT_SLUG }
}
