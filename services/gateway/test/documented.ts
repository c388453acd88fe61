import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { createAsyncapiDocument } from '../src/openapi/asyncapi.js'
import { createOpenapiDocument } from '../src/openapi/document.js'
import { routes } from '../src/routes/routes.js'

const options = { strict: false, validateSchema: false, validateFormats: false } as const
const compiled = new Map<string, ValidateFunction>()

/** Throws when the value does not match the schema at this pointer into the document. Each schema is compiled once. */
const check = (ajv: () => Ajv | Ajv2020, pointer: string, value: unknown, name: string): void => {
  const validate = compiled.get(pointer) ?? ajv().compile({ $ref: pointer })
  compiled.set(pointer, validate)
  if (!validate(value)) throw new Error(`${name} is not as documented: ${printed(validate.errors)}`)
}

const printed = (errors: ErrorObject[] | null | undefined): string =>
  (errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`).join('; ')

const copyOf = <Document>(document: Document): Document => JSON.parse(JSON.stringify(document)) as Document
const once = <Value>(create: () => Value): (() => Value) => {
  let value: Value | undefined
  return () => {
    value ??= create()
    return value
  }
}
const pointerPart = (key: string) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))

const openapi = once(
  () => copyOf(createOpenapiDocument(routes)) as unknown as { paths: Record<string, Record<string, Operation>> },
)
const openapiSchemas = once(() => new Ajv2020(options).addSchema({ $id: 'openapi', ...openapi() }))

interface Operation {
  responses: Record<string, { content?: Record<string, unknown> }>
}

const pathPatterns = once(() =>
  Object.keys(openapi().paths).map((path) => ({
    path,
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
  })),
)

export interface ObservedResponse {
  readonly method: string
  /** With the query, if any. */
  readonly path: string
  readonly status: number
  readonly contentType: string | null
  /** The parsed body, where it is JSON. */
  readonly body: unknown
}

/** Throws when the OpenAPI document does not describe the response of this public operation. */
export const checkDocumentedResponse = ({ method, path, status, contentType, body }: ObservedResponse): void => {
  const [pathname] = path.split('?') as [string]
  const found = pathPatterns().find(({ pattern }) => pattern.test(pathname))
  const operation = found && openapi().paths[found.path]?.[method.toLowerCase()]
  if (found === undefined || operation === undefined) return
  const name = `${method} ${found.path}: ${status}`
  const documented = operation.responses[status]
  if (documented === undefined) throw new Error(`${name} is not documented`)
  const type = contentType?.split(';')[0]
  if (type === undefined || documented.content === undefined) return
  if (!(type in documented.content)) throw new Error(`${name} is not documented with the type ${type}`)
  if (type !== 'application/json') return
  const keys = ['paths', found.path, method.toLowerCase(), 'responses', String(status), 'content', type, 'schema']
  check(openapiSchemas, `openapi#/${keys.map(pointerPart).join('/')}`, body, name)
}

/** Throws when the OpenAPI document does not describe the JSON body of this request. `path` has no query. */
export const checkDocumentedRequest = (method: string, path: string, body: unknown): void => {
  const found = pathPatterns().find(({ pattern }) => pattern.test(path))
  const name = `${method} ${path}`
  if (found === undefined) throw new Error(`${name} is not documented`)
  const keys = ['paths', found.path, method.toLowerCase(), 'requestBody', 'content', 'application/json', 'schema']
  check(openapiSchemas, `openapi#/${keys.map(pointerPart).join('/')}`, body, name)
}

const asyncapiSchemas = once(() => new Ajv(options).addSchema({ $id: 'asyncapi', ...copyOf(createAsyncapiDocument()) }))

/** Throws when the AsyncAPI document does not describe the message. */
export const checkDocumentedMessage = (
  protocol: 'stream' | 'conversation' | 'listen',
  direction: 'FromClient' | 'ToClient',
  message: { readonly event: string },
): void => {
  const event = message.event.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())
  const key = `${protocol}${event}${direction}`
  check(asyncapiSchemas, `asyncapi#/components/messages/${key}/payload`, message, key)
}
