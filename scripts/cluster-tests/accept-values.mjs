import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'

/** Lets the API server check each object of each file of values. Objects of operators that are not installed are skipped. */
export const acceptValues = async (kubectl, helm, { chart, release }) => {
  const versions = new Set((await kubectl(['api-versions'])).split('\n'))
  const files = [
    ...(await readdir(chart)).filter((file) => /^values-.*\.yaml$/.test(file)),
    ...(await readdir(join(chart, 'ci'))).map((file) => `ci/${file}`),
  ]
  let count = 0
  const left = new Set()
  for (const file of files) {
    const rendered = await helm('template', release, chart, '--values', join(chart, file))
    const objects = parseAllDocuments(rendered)
      .map((document) => document.toJS())
      .filter(Boolean)
    const known = objects.filter(({ apiVersion }) => versions.has(apiVersion))
    for (const { apiVersion, kind } of objects) if (!versions.has(apiVersion)) left.add(kind)
    const input = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: known })
    await kubectl(['apply', '--dry-run=server', '--validate=strict', '--filename', '-'], { input })
    count += known.length
  }
  const missing = left.size === 0 ? '' : `; not known there: ${[...left].join(', ')}`
  return `${count} objects of ${files.length} files${missing}`
}
