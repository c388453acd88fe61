import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { CallContext } from '@parlance/bus'
import type { Principal, ServiceError } from '@parlance/contracts'
import type { Span } from '@parlance/telemetry'
import type { Application } from 'express'
import { leadsToWebSocket } from '../websocket/upgrades.js'

declare global {
  namespace Express {
    interface Request {
      id: string
      /** On the clock of `performance.now()`. */
      startedAtMs: number
      /** Sent along with every call that this request makes. */
      context: CallContext
      /** Present when this request's trace is sampled. */
      span: Span | undefined
      /** Present behind `requireKey`. */
      principal: Principal | undefined
      /** Why the request failed, if it did; its log line and its metrics go by this. */
      failure: ServiceError | undefined
      /** The bytes of the body, once somebody has asked for them. */
      rawBody: Promise<Buffer> | undefined
    }
    interface Response {
      /** Flat, and sent along with whatever the answer is. */
      addedHeaders: readonly string[]
      /** When it makes sense to ask again, for an answer that says so; undefined where that is not known. */
      retryAfterSeconds: number | undefined
      /** Tells of a failure after the headers have gone, where the format has a way to; else the connection is cut. */
      tellFailure: ((failure: ServiceError) => void) | undefined
      /** The server closed the connection before the response was complete, and not the client. */
      cutByServer: boolean
    }
  }
}

const noContext: CallContext = { requestId: '' }
const none: readonly string[] = []

const wantsWebSocket = (req: IncomingMessage): boolean =>
  req.headers.upgrade?.toLowerCase() === 'websocket' && leadsToWebSocket(req)

interface MessageClasses {
  IncomingMessage: typeof IncomingMessage
  ServerResponse: typeof ServerResponse
}

/**
 * The classes of which the server must make requests and responses for this app.
 *
 * Express changes the prototype of every request and response, which costs more than all else that it does. Here
 * their prototypes are the app's own from the start, so that the change changes nothing. (An app mounted inside the
 * app would undo this: use routers.) All fields are there from the start as well, so that every request has one shape.
 */
export const createMessageClasses = (app: Application): MessageClasses => {
  class GatewayRequest extends IncomingMessage {
    wantsUpgrade = false
    id = ''
    startedAtMs = 0
    context = noContext
    span: Span | undefined = undefined
    principal: Principal | undefined = undefined
    failure: ServiceError | undefined = undefined
    rawBody: Promise<Buffer> | undefined = undefined

    /**
     * Asked by Node's server, which hands a request over to its `upgrade` listener when this is true. An upgrade to
     * anything else, such as the h2c that some clients offer with every request, may be ignored, so it is.
     */
    get upgrade(): boolean {
      return this.wantsUpgrade && (this.method === 'CONNECT' || (this.method === 'GET' && wantsWebSocket(this)))
    }
    set upgrade(wanted: boolean | null) {
      this.wantsUpgrade = wanted === true
    }
  }
  class GatewayResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
    tellFailure: Express.Response['tellFailure'] = undefined
    addedHeaders: readonly string[] = none
    retryAfterSeconds: number | undefined = undefined
    cutByServer = false

    /** Whoever writes the answer. */
    override writeHead(status: number, ...rest: unknown[]): this {
      const [headers] = rest
      const { addedHeaders } = this
      if (Array.isArray(headers)) return super.writeHead(status, [...headers, ...addedHeaders])
      for (let i = 0; i < addedHeaders.length; i += 2) {
        this.setHeader(addedHeaders[i] as string, addedHeaders[i + 1] as string)
      }
      return super.writeHead(status, ...(rest as [OutgoingHttpHeaders?]))
    }
  }

  const prototypes = app as unknown as { request: object; response: object }
  Object.setPrototypeOf(GatewayRequest.prototype, prototypes.request)
  Object.setPrototypeOf(GatewayResponse.prototype, prototypes.response)
  prototypes.request = GatewayRequest.prototype
  prototypes.response = GatewayResponse.prototype
  return { IncomingMessage: GatewayRequest, ServerResponse: GatewayResponse }
}
