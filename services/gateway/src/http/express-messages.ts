import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { CallContext } from '@parlance/bus'
import type { Person, Principal, ServiceError } from '@parlance/contracts'
import type { Span } from '@parlance/telemetry'
import type { Application } from 'express'
import type { Upgrades } from '../websocket/upgrade.js'
import type { UploadedForm } from './multipart-form.js'

declare global {
  namespace Express {
    interface Request {
      id: string
      /** On the clock of `performance.now()`. */
      startedAtMs: number
      /** The context of every call that this request makes. */
      context: CallContext
      /** Present when the trace of this request is sampled. */
      span: Span | undefined
      /** Present behind `requireKey`. */
      principal: Principal | undefined
      /** Present behind `requireOperator`. */
      operator: Person | undefined
      /** The error of a request that failed, for its log line and its metrics. */
      failure: ServiceError | undefined
      /** The bytes of the body, once a handler reads them. */
      rawBody: Promise<Buffer> | undefined
      /** The body as a form, once a handler reads it. */
      form: Promise<UploadedForm> | undefined
    }
    interface Response {
      /** Adds a flat array of headers to the response, whatever it will be. */
      addHeaders(headers: readonly string[]): void
      /** Responds with an error in another form than the status and the five keys. Undefined for the usual form. */
      beginWithError: ((failure: ServiceError) => void) | undefined
      /**
       * Ends the response with an error after the headers are sent. Undefined when the format has no way to do so; then the
       * connection is cut.
       */
      endWithError: ((failure: ServiceError) => void) | undefined
      /** True when the server, and not the client, closed the connection before the response was complete. */
      cutByServer: boolean
    }
  }
}

const noContext: CallContext = { requestId: '' }
const none: readonly string[] = []

/**
 * Shorter than `keepIdleMs` of an installation behind load balancers. A client that respects it, as Node's `fetch` does,
 * sends no request on a connection that a stopping server closes at the same moment. Load balancers use their own times.
 */
const keepAlive = ['Keep-Alive', 'timeout=10'] as const

/**
 * Creates the classes of requests and responses that the server must use for this app. `leadsToWebSocket` returns whether there is
 * a WebSocket at the path of a request.
 *
 * Express sets the prototype of every request and response, which costs more than everything else that it does. Objects of
 * these classes have the prototypes of the app from the start, so that setting them has no effect. (An app mounted inside
 * the app would undo this: use routers.) All fields exist from the start, so that all requests have one hidden class.
 */
export const createMessageClasses = (
  app: Application,
  leadsToWebSocket: Upgrades['leadsToWebSocket'] = () => false,
): { IncomingMessage: typeof IncomingMessage; ServerResponse: typeof ServerResponse } => {
  const wantsWebSocket = (req: IncomingMessage): boolean =>
    req.headers.upgrade?.toLowerCase() === 'websocket' && leadsToWebSocket(req)

  class GatewayRequest extends IncomingMessage {
    wantsUpgrade = false
    id = ''
    startedAtMs = 0
    context = noContext
    span: Span | undefined = undefined
    principal: Principal | undefined = undefined
    failure: ServiceError | undefined = undefined
    rawBody: Promise<Buffer> | undefined = undefined
    form: Promise<UploadedForm> | undefined = undefined

    /**
     * Node's server reads this, and emits `upgrade` for the request when it is true. An upgrade to anything but a WebSocket
     * may be ignored, so it is: some clients offer h2c with every request.
     */
    get upgrade(): boolean {
      return this.wantsUpgrade && (this.method === 'CONNECT' || (this.method === 'GET' && wantsWebSocket(this)))
    }
    set upgrade(wanted: boolean | null) {
      this.wantsUpgrade = wanted === true
    }
  }
  class GatewayResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
    beginWithError: Express.Response['beginWithError'] = undefined
    endWithError: Express.Response['endWithError'] = undefined
    addedHeaders: readonly string[] = none
    cutByServer = false

    addHeaders(headers: readonly string[]): void {
      this.addedHeaders = [...this.addedHeaders, ...headers]
    }

    /** Adds `addedHeaders` to the headers of every caller, and `Keep-Alive` where the connection stays open. */
    override writeHead(status: number, ...rest: unknown[]): this {
      const [headers] = rest
      const addedHeaders = this.shouldKeepAlive ? [...this.addedHeaders, ...keepAlive] : this.addedHeaders
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
