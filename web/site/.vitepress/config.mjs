import { copyFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, normalize } from 'node:path/posix'
import { fileURLToPath } from 'node:url'
import { createCssVariablesTheme } from 'shiki'
import { defineConfig } from 'vitepress'
import { compressFiles } from '../../../scripts/compress.mjs'
import { docsFolder, readSections } from '../pages.mjs'

/** The colors of code are classes, since the content security policy of the gateway forbids style attributes. */
const colorsAsClasses = {
  pre(node) {
    node.properties.style = undefined
  },
  span(node) {
    const color = /--shiki-(?:token-)?([\w-]+)/.exec(node.properties.style ?? '')?.[1]
    node.properties.style = undefined
    if (color !== undefined) this.addClassToHast(node, `code-${color}`)
  },
}

/** Numbers in tables. */
const alignByClass = (token) => {
  const index = token.attrIndex('style')
  if (index >= 0) token.attrs[index] = ['class', token.attrs[index][1].replace('text-align:', 'align-')]
}

/** Where a link of a page leads, from the folder of the Markdown: `../deploy/README.md`. */
const targetOf = (href, page) => normalize(join(dirname(page), href.replace(/#.*$/, '')))

/**
 * Adapts a page to the site. Of the links between files, those to `README.md` lead to the page of the folder, and those to files that are no pages become
 * text, because the site has only the pages.
 */
const adaptPage = (markdown) => {
  markdown.core.ruler.push('adapt-page', ({ tokens, env }) => {
    // The start page has a title above its Markdown.
    if (env.relativePath === 'index.md') tokens.splice(0, 3)
    for (const token of tokens) {
      const { children } = token
      if (/^t[hd]_open$/.test(token.type)) alignByClass(token)
      let isOutside = false
      for (const token of children ?? []) {
        const href = token.type === 'link_open' ? token.attrGet('href') : undefined
        if (token.type === 'link_close' && isOutside) {
          Object.assign(token, { type: 'html_inline', tag: '', nesting: 0, content: '' })
          isOutside = false
        }
        if (href === undefined || /^(\w+:|\/|#)/.test(href)) continue
        isOutside = targetOf(href, env.relativePath ?? '').startsWith('..')
        if (isOutside) Object.assign(token, { type: 'html_inline', tag: '', nesting: 0, content: '' })
        else token.attrSet('href', href.replace(/(^|\/)README\.md/, '$1index.md'))
      }
    }
  })
}

/** What the reference of the API loads. It is the file `api.html`, beside the pages that VitePress makes. */
const filesOfReference = [
  ...['swagger-ui-dist/swagger-ui.css', 'swagger-ui-dist/swagger-ui-bundle.js'],
  '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
]
const { resolve } = createRequire(import.meta.url)

/** Where the dashboard keeps the choice of its menu, which is light, dark or auto here too. */
const colorSchemeKey = 'mantine-color-scheme-value'

/** What the start page shows above its Markdown. */
const hero = {
  text: 'Voice agents and speech, on your own machines',
  tagline: 'People talk with your Agents in a browser. Your programs speak in one request, or word by word.',
  actions: [
    { theme: 'brand', text: 'Talk on a page', link: '/talk-on-a-page' },
    { theme: 'alt', text: 'Stream speech', link: '/stream-speech' },
    { theme: 'alt', text: 'Install on Kubernetes', link: '/install' },
  ],
}

export default defineConfig({
  title: 'Parlance',
  description: 'A self-hosted platform for voice agents and speech.',
  lang: 'en-US',
  base: '/docs/',
  srcDir: fileURLToPath(docsFolder),
  outDir: fileURLToPath(new URL('../dist/site', import.meta.url)),
  cacheDir: fileURLToPath(new URL('../node_modules/.vitepress', import.meta.url)),
  cleanUrls: true,
  metaChunk: true,
  rewrites: { 'README.md': 'index.md', 'decisions/README.md': 'decisions/index.md' },
  // A test of the documents checks them all.
  ignoreDeadLinks: true,
  // Firefox refuses to prefetch under the content security policy.
  router: { prefetchLinks: false },
  // A style element that stops transitions would be refused.
  appearance: { storageKey: colorSchemeKey, disableTransition: false },
  // Scripts set styles without attributes, which the policy forbids as well.
  transformHtml: (html) =>
    html
      .replace('vitepress-theme-appearance', colorSchemeKey)
      // It is empty, and pages would wait for it.
      .replace(/ *<link [^>]*vp-icons\.css[^>]*>\n/, '')
      .replaceAll(/ style="[^"]*"/g, ''),
  transformHead: ({ assets }) => {
    const href = assets.find((name) => /inter-latin-wght-normal/.test(name))
    return [['link', { rel: 'preload', href, as: 'font', type: 'font/woff2', crossorigin: '' }]]
  },
  async buildEnd({ outDir }) {
    for (const file of filesOfReference) await copyFile(resolve(file), join(outDir, 'api', basename(file)))
    await compressFiles(outDir)
  },
  head: [['link', { rel: 'icon', href: '/docs/icon.svg', type: 'image/svg+xml' }]],
  transformPageData: ({ relativePath }) =>
    relativePath === 'index.md' ? { frontmatter: { layout: 'home', hero } } : undefined,
  markdown: {
    linkify: false,
    // Braces at the end of a cell are text.
    attrs: { disable: true },
    theme: createCssVariablesTheme({ variablePrefix: '--shiki-' }),
    codeTransformers: [colorsAsClasses],
    config: adaptPage,
  },
  vite: {
    publicDir: fileURLToPath(new URL('../public', import.meta.url)),
    build: { assetsInlineLimit: 0 },
  },
  themeConfig: {
    logo: { src: '/icon.svg', alt: '', width: 24, height: 24 },
    search: { provider: 'local' },
    sidebar: readSections(),
    outline: [2, 3],
    docFooter: { prev: 'Previous', next: 'Next' },
    nav: [{ text: 'API reference', link: '/api', target: '_self' }],
  },
})
