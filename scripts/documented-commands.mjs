import { readFileSync } from 'node:fs'

const root = new URL('..', import.meta.url)

/** The commands of a document that `runBy` runs, such as `npm run test:compose`, by blocks: each after a comment that says so. */
export const documentedCommands = (runBy, document) => {
  const block = new RegExp(
    `<!-- \`${runBy.replace('.', '\\.')}\` runs these commands\\. -->\\n\\n( *)\`\`\`sh\\n([^]*?)\\n *\`\`\`$`,
    'gm',
  )
  return [...readFileSync(new URL(document, root), 'utf8').matchAll(block)].map(({ 1: indent, 2: commands }) =>
    commands.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  )
}
