// What the libraries for servers have of the API: one method for each operation, and in Python types, from the OpenAPI document. The
// messages of streams come from the AsyncAPI document.
import { createAsyncapiDocument } from '../../services/gateway/dist/openapi/asyncapi.js'
import { createOpenapiDocument } from '../../services/gateway/dist/openapi/document.js'
import { routes } from '../../services/gateway/dist/routes/routes.js'
import { pythonApi } from './server-library-python.mjs'

const generatedLine = 'Written by `npm run generate` from the OpenAPI document.'

/** Operations that the libraries have by hand, or leave to the libraries of OpenAI. */
const isLeftOut = (path, { operationId }) =>
  ['synthesize', 'voicePreview'].includes(operationId) || /^\/v1\/(audio|models)(\/|$)/.test(path)

const jsonOf = (content) => content?.['application/json']?.schema

/** What a method of a library consists of. */
const operationOf = (path, method, operation) => {
  const parameters = operation.parameters ?? []
  const named = (kind) => parameters.filter((parameter) => parameter.in === kind)
  const headers = named('header').map(({ name }) => name)
  const bodies = operation.requestBody?.content ?? {}
  const [bodyType] = Object.keys(bodies)
  const results = Object.entries(operation.responses)
    .filter(([status]) => status < 300)
    .map(([status, { content }]) => ({ status, schema: jsonOf(content) }))
  const page = results[0].schema?.properties
  return {
    id: operation.operationId,
    summary: operation.summary,
    method: method.toUpperCase(),
    path,
    pathParameters: named('path'),
    query: named('query'),
    body: bodyType && { type: bodyType, schema: bodies[bodyType].schema, isRequired: operation.requestBody.required },
    options: headers.includes('idempotency-key') ? 'Post' : headers.includes('if-match') ? 'Change' : 'Request',
    hasIfMatch: headers.includes('if-match'),
    results: results.filter(({ schema }) => schema !== undefined),
    /** The name of the items, where the result is a page of a list. */
    items: page !== undefined && 'next_cursor' in page ? Object.keys(page)[0] : undefined,
  }
}

const readOperations = (document) =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.security.some(({ key }) => key !== undefined) && !isLeftOut(path, operation))
      .map(([method, operation]) => operationOf(path, method, operation)),
  )

const methodOf = (operation) => {
  const { id, summary, method, path, pathParameters, query, body, options, hasIfMatch, items } = operation
  const isForm = body?.type === 'multipart/form-data'
  const optionType = options === 'Post' && hasIfMatch ? 'PostOptions & ChangeOptions' : `${options}Options`
  const parameters = [
    ...pathParameters.map(({ name }) => `${name}: string`),
    ...(body === undefined ? [] : [isForm ? 'form: FormData' : `body${body.isRequired ? '' : '?'}: Body<'${id}'>`]),
    ...(query.length === 0 ? [] : [`query?: Query<'${id}'>`]),
    `options?: ${optionType}`,
  ]
  const address = `\`${path.replace(/\{(\w+)\}/g, (_, name) => `\${encodeURIComponent(${name})}`)}\``
  const url = pathParameters.length === 0 ? `'${path}'` : address
  const content = [
    ...(body === undefined ? [] : [isForm ? 'body: form' : body.isRequired ? 'body' : 'body: body ?? {}']),
    ...(query.length === 0 ? [] : ['query']),
  ]
  const comment = `  /** ${summary}. \`${method} ${path}\` */`
  const send = `sendJson('${method}', ${url}, { ${content.join(', ')} }, options)`
  if (items === undefined) {
    return `${comment}
  ${id}: (${parameters.join(', ')}): Promise<Result<'${id}'>> =>
    ${send},`
  }
  return `${comment}
  ${id}: (${parameters.join(', ')}): List<Result<'${id}'>, Result<'${id}'>['${items}'][number]> =>
    createList((query): Promise<Result<'${id}'>> => ${send}, query ?? {}, (page) => page.${items}),`
}

const typescriptOperations = (operations) => `/** ${generatedLine} */
import type { operations } from './openapi.js'
import { type ChangeOptions, createList, type List, type PostOptions, type RequestOptions, type Requests } from './request.js'

type Body<Id extends keyof operations> = operations[Id] extends { requestBody?: { content: { 'application/json': infer Content } } }
  ? Content
  : never
type Query<Id extends keyof operations> = NonNullable<operations[Id]['parameters']['query']>
/** The JSON of each status below 300. */
type Result<Id extends keyof operations> = {
  [Status in keyof operations[Id]['responses'] & (200 | 201 | 202)]: operations[Id]['responses'][Status] extends {
    content: { 'application/json': infer Content }
  }
    ? Content
    : never
}[keyof operations[Id]['responses'] & (200 | 201 | 202)] extends infer Content
  ? [Content] extends [never]
    ? undefined
    : Content
  : never

/** One method for each operation of the API that takes a key. */
export const createOperations = ({ sendJson }: Requests) => ({
${operations.map(methodOf).join('\n\n')}
})

export type Operations = ReturnType<typeof createOperations>
`

const streamSchemas = () => {
  const { messages } = JSON.parse(JSON.stringify(createAsyncapiDocument())).components
  return Object.fromEntries(
    Object.entries(messages)
      .filter(([key]) => /^stream\w+(From|To)Client$/.test(key))
      .map(([key, { summary, payload }]) => [
        key.replace(/^s/, 'S').replace(/(From|To)Client$/, ''),
        { description: summary, ...payload },
      ]),
  )
}

/** The OpenAPI document, with the messages of streams among its schemas. */
export const serverDocument = () => {
  const document = JSON.parse(JSON.stringify(createOpenapiDocument(routes)))
  Object.assign(document.components.schemas, streamSchemas())
  return document
}

export const serverLibraries = () => {
  const document = serverDocument()
  const operations = readOperations(document)
  return {
    'sdks/node/src/operations.ts': typescriptOperations(operations),
    ...pythonApi(document.components.schemas, operations, generatedLine),
  }
}
