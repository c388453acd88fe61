// The built dashboard without a service: the requests of its pages get answers from a list.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const site = join(root, 'web/dashboard/dist/site')

export const origin = 'http://parlance.example'

const types = { js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml' }
const avatars = join(root, 'libs/models/assets')

/** Answers a request of a page: a built file, what is listed, or the document. */
export const answerWith = (answers) => async (route) => {
  const { pathname, searchParams } = new URL(route.request().url())
  if (pathname.startsWith('/dashboard/static/')) {
    const body = await readFile(join(site, pathname))
    return route.fulfill({ body, contentType: types[pathname.split('.').at(-1)] })
  }
  if (pathname.startsWith('/assets/avatars/')) return route.fulfill({ path: join(avatars, pathname.split('/').at(-1)) })
  if (!pathname.startsWith('/dashboard/')) return route.fulfill({ path: join(site, 'index.html') })
  const listed = answers[pathname]
  const found = typeof listed === 'function' ? listed(searchParams) : listed
  // The page waits forever.
  if (found === 'pending') return
  if (found === undefined)
    return route.fulfill({ status: 404, json: { code: 'not_found', detail: 'There is nothing here.' } })
  if (found.bytes !== undefined) return route.fulfill({ body: found.bytes, contentType: found.type })
  return route.fulfill({ status: found.status ?? 200, json: found.body })
}
