import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { createPageRoutes } from './page.js'

const folder = new URL('../../../assets/docs/', import.meta.url)
const folderOf = (packageName: string): URL =>
  new URL('./', pathToFileURL(createRequire(import.meta.url).resolve(`${packageName}/package.json`)))
const swagger = folderOf('swagger-ui-dist')

/** The reference of the API. */
export const docs = createPageRoutes({
  path: '/docs',
  operationId: 'docs',
  summary: 'This document, as a page',
  folder,
  files: new Map([
    ['docs.css', folder],
    ['docs.js', folder],
    ['icon.svg', folder],
    ['inter-latin-wght-normal.woff2', new URL('files/', folderOf('@fontsource-variable/inter'))],
    ['swagger-ui.css', swagger],
    ['swagger-ui-bundle.js', swagger],
  ]),
})
