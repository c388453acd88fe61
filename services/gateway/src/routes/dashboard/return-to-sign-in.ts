import type { RequestHandler } from 'express'
import { prefersPage } from '../../http/acceptable.js'
import { guardHeaders } from '../../http/json-response.js'

/**
 * Middleware that leads a browser to the page "Sign in" when its request fails: it followed a link, or came back from an
 * identity provider. The page explains the code in its parameter `error`.
 */
export const returnToSignIn: RequestHandler = (req, res, next) => {
  if (prefersPage(req)) {
    res.beginWithError = ({ code }) => {
      const location = `/sign-in?${new URLSearchParams({ error: code })}`
      const headers = ['location', location, 'cache-control', 'no-store', 'x-request-id', req.id]
      res.writeHead(302, [...headers, ...guardHeaders, 'content-length', '0']).end()
    }
  }
  next()
}
