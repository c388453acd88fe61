/**
 * One route of the public API. A file in a folder beside this one defines it: the path, the authentication, its OpenAPI
 * operation and its handler. `routes.ts` lists all routes. `app.ts` mounts them, and `openapi/document.ts` describes
 * them.
 */
import type { RouteConfig } from '@asteasolutions/zod-to-openapi'
import type { UnconnectedStarts } from '@parlance/clients/session-registry'
import type { Capability, ErrorCode, ModelAdministration, ModelOffers, Role } from '@parlance/contracts'
import type { RequestHandler } from 'express'
import type { z } from 'zod'
import type { Admit } from '../authentication/admission.js'
import type { LimitRate, LimitVisitors } from '../authentication/rate-limiter.js'
import type { AuthorizeSession } from '../authentication/session-authorization.js'
import type { GatewayClients } from '../gateway-clients.js'
import type { PublicUrl } from '../http/public-url.js'
import type { IdempotentOptions } from '../idempotency/idempotent.js'
import type { Tag } from '../openapi/document.js'
import type { Speak } from '../synthesis/speech.js'
import type { RunTranscription } from '../transcription/transcription.js'
import type { FindPreview } from './catalog/voice-previews.js'
import type { Installation } from './dashboard/get-settings.js'

/** How a caller authenticates. */
export type Authentication =
  /** A workspace API key. It is checked before the handler runs, and so is the capability of its workspace. */
  | { readonly kind: 'key'; readonly capability?: Capability }
  /** A signed-in member of a workspace, by the cookie of the dashboard. The member has at least this role. */
  | { readonly kind: 'member'; readonly role: Role; readonly capability?: Capability }
  /** A signed-in person who is an operator, by the cookie of the dashboard. */
  | { readonly kind: 'operator' }
  /** A session token. The handler checks it. Browsers present it, so pages of any origin may call the route. */
  | { readonly kind: 'session token' }
  /** A workspace API key, or a session token, which the handler checks. Pages of any origin may call the route. */
  | { readonly kind: 'key or session token'; readonly capability: Capability }
  /** No authentication. */
  | { readonly kind: 'none' }

export const apiKey = (capability?: Capability): Authentication =>
  capability === undefined ? { kind: 'key' } : { kind: 'key', capability }
export const member = (role: Role, capability?: Capability): Authentication =>
  capability === undefined ? { kind: 'member', role } : { kind: 'member', role, capability }
export const operator: Authentication = { kind: 'operator' }
export const sessionToken: Authentication = { kind: 'session token' }
export const noAuthentication: Authentication = { kind: 'none' }

/** A POST that is executed once for each `Idempotency-Key`. */
export interface Idempotency extends IdempotentOptions {
  /** The requests for which the header has an effect, for the description of the header: "For … . " All when left out. */
  readonly when?: string
}

type RequestBody = NonNullable<NonNullable<RouteConfig['request']>['body']>

/** A response without the headers that every response has. */
export interface RouteResponse {
  readonly description: string
  readonly headers?: Readonly<Record<string, z.ZodType>>
  readonly content?: RequestBody['content']
}

/** The parts of a request, as OpenAPI describes them. */
interface RouteRequest {
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly headers?: z.ZodObject
  readonly body?: RequestBody
}

export interface Route {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** In Express's notation, such as `/v1/agents/:agentId`. */
  readonly path: string
  readonly authentication: Authentication
  readonly idempotency?: Idempotency
  /** Whether pages of any origin may call the route. They may always call a route with a session token. */
  readonly anyOrigin?: true
  /** Whether the OpenAPI document omits the route, which serves only a page of the gateway, or a protocol that a vendor documents. */
  readonly isUndocumented?: true
  readonly operationId: string
  readonly tag: Tag
  readonly summary: string
  readonly description?: string
  readonly request?: RouteRequest
  readonly responses: Readonly<Record<number, RouteResponse>>
  /** The methods of other services that the handler calls. The route may also respond with their errors. */
  readonly calls?: readonly { readonly errors: readonly ErrorCode[] }[]
  /** Further errors, besides those that follow from the rest (`openapi/error-codes.ts`). */
  readonly errors?: readonly ErrorCode[]
  /** Called once, when the gateway starts. */
  createHandler(dependencies: RouteDependencies): RequestHandler | RequestHandler[]
}

/** The dependencies of handlers. */
export interface RouteDependencies extends Omit<GatewayClients, 'tts'> {
  readonly admit: Admit
  readonly authorizeSession: AuthorizeSession
  readonly unconnectedStarts: Pick<UnconnectedStarts, 'waitMs'>
  /** Counts reads of calendar feeds by signature. They have no key, so they are not attributed to a workspace. */
  readonly limitFeed: LimitRate
  /** Counts requests without a usable key, by the network of the client. */
  readonly limitStrangers: LimitRate
  readonly limitVisitors: LimitVisitors
  readonly speak: Speak
  readonly findPreview: FindPreview
  readonly runTranscription: RunTranscription
  readonly installation: Installation
  /** Aborted when the gateway begins to stop. Endless responses then end. */
  readonly stopping: AbortSignal
  /** Undefined when the process installs no models. */
  readonly modelOffers?: ModelOffers | undefined
  /** Undefined when the process manages no models. */
  readonly modelAdministration?: ModelAdministration | undefined
  readonly publicUrl: PublicUrl
  /** The same over a WebSocket. */
  readonly webSocketUrl: PublicUrl
  /** Takes 0.1 s or more of CPU time. */
  readonly createOpenapiDocument: () => object
  /** Takes 0.1 s or more of CPU time. */
  readonly createDashboardDocument: () => object
}

/** A route that the OpenAPI document omits, since a vendor documents it. */
export const undocumented = (route: Pick<Route, 'method' | 'path' | 'authentication' | 'createHandler'>): Route => ({
  ...route,
  isUndocumented: true,
  operationId: route.path,
  tag: 'Speech',
  summary: route.path,
  responses: {},
})

/** A response with a JSON body. */
export const json = (
  description: string,
  schema: z.ZodType,
  headers: Readonly<Record<string, z.ZodType>> = {},
): RouteResponse => ({ description, headers, content: { 'application/json': { schema } } })

/** A JSON request body with examples by name. */
export const jsonBody = (
  schema: z.ZodType,
  examples: Readonly<Record<string, { readonly summary?: string; readonly value: object }>>,
  required = true,
): RequestBody => ({
  required,
  content: { 'application/json': { schema, examples } },
})
