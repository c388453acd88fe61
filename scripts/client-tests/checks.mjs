// What the clients in Node.js share. This file drives no client itself.
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

export const url = process.env.PARLANCE_URL
export const key = process.env.PARLANCE_API_KEY
export const voice = process.env.PARLANCE_VOICE_ID

/** Runs one check and prints its result. It is ok when `work` resolves to something true; a string is its detail. */
export const check = async (client, name, work) => {
  let ok = false
  let detail = ''
  try {
    const result = await work()
    ok = Boolean(result)
    detail = typeof result === 'string' ? result : ''
  } catch (error) {
    detail = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  }
  console.log(JSON.stringify({ client, check: name, ok, detail: detail.slice(0, 500) }))
}

const readCredit = async (of) => {
  const response = await fetch(`${url}/v1/credit`, { headers: { authorization: `Bearer ${of}` } })
  const { balance } = await response.json()
  return Number(balance)
}

/** The credit of the workspace of a key. With `changedFrom`, waits for it to be another: what was spoken is charged a moment later. */
export const credit = async ({ of = key, changedFrom } = {}) => {
  for (let attempts = 0; attempts < 100; attempts++) {
    const balance = await readCredit(of)
    if (balance !== changedFrom) return balance
    await delay(100)
  }
  throw new Error('the credit did not change')
}

/**
 * Runs what a page of the documentation has in JavaScript, at this Parlance, with names that the page explains. Resolves to those of its
 * names that are wanted. Packages are found from the folder in which it runs.
 */
export const runDocumented = async (page, wanted, given = {}) => {
  const text = readFileSync(join(process.env.PARLANCE_REPOSITORY, page), 'utf8')
  const program = /^```js\n([\s\S]*?)^```/m
    .exec(text)[1]
    .replaceAll(/(http|ws)s:\/\/\w+\.example\.com/g, (_, scheme) => url.replace('http', scheme))
  Object.assign(globalThis, { KEY: key, VOICE: voice, ...given })
  const file = resolve(`documented-${basename(page)}.mjs`)
  writeFileSync(file, `${program}\nexport { ${wanted.join(', ')} }\n`)
  return import(file)
}

/** All bytes of a stream. */
export const bytesOf = async (stream) => {
  const parts = []
  for await (const part of stream) parts.push(part)
  return Buffer.concat(parts)
}
