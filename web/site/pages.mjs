import { readFileSync } from 'node:fs'

/** The folder of the Markdown. Pages are made from it, and it reads well without them. */
export const docsFolder = new URL('../../docs/', import.meta.url)

/** `[Title](page.md): description` at the begin of an item of a list. */
const item = /^- \[([^\]]+)\]\(([\w/-]+)\.md\)/gm

/** The sections of `docs/README.md` with the pages that each lists, in the form of VitePress' sidebar. */
export const readSections = () =>
  readFileSync(new URL('README.md', docsFolder), 'utf8')
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      text: section.slice(0, section.indexOf('\n')),
      items: [...section.matchAll(item)].map(([, text, path]) => ({
        text,
        link: `/${path.replace(/(^|\/)README$/, '$1')}`,
      })),
    }))
    .filter(({ items }) => items.length > 0)
