// The types and methods of the Python library. Its sources are written here, so that no Python is needed to write them.

/** `session_id` → `SessionId`, `agent.published` → `AgentPublished`. */
const pascal = (name) => name.replace(/(?:^|[^a-zA-Z0-9]+)([a-zA-Z0-9])/g, (_, letter) => letter.toUpperCase())
/** `createAgent` → `create_agent`. */
const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const keywords = new Set(['from', 'import', 'class', 'def', 'is', 'in', 'not', 'or', 'and', 'global', 'pass', 'None'])
const isIdentifier = (name) => /^[A-Za-z_]\w*$/.test(name) && !keywords.has(name)
const parameterName = (name) => (keywords.has(name) ? `${name}_` : snake(name))
const documentation = (text) => text.replaceAll('\\', '\\\\').replaceAll('"""', "'''")

/** Collects the classes of the objects in schemas, each by the path to it. */
const createTypes = () => {
  const declarations = new Map()

  const unionOf = (types) => {
    const distinct = [...new Set(types)]
    return distinct.length === 1 ? distinct[0] : `Union[${distinct.join(', ')}]`
  }

  /** The option of a union whose field `type` or `event` has one value is named after it. */
  const optionName = (name, option, index) => {
    const { type, event } = option.properties ?? {}
    const value = event?.const ?? event?.enum?.[0] ?? type?.const ?? type?.enum?.[0]
    return `${name}${value === undefined ? index + 1 : pascal(String(value))}`
  }

  const literal = (value) =>
    value === null ? 'None' : typeof value === 'boolean' ? pascal(String(value)) : JSON.stringify(value)

  const typeOf = (schema, name) => {
    const { $ref, type, anyOf, oneOf, properties, additionalProperties } = schema
    if ($ref !== undefined) return `"${$ref.split('/').at(-1)}"`
    if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`
    if (schema.enum !== undefined) return `Literal[${schema.enum.map(literal).join(', ')}]`
    const options = anyOf ?? oneOf
    if (options !== undefined) {
      return unionOf(
        options.map((option, index) => typeOf(option, option.properties ? optionName(name, option, index) : name)),
      )
    }
    if (Array.isArray(type)) return unionOf(type.map((one) => typeOf({ ...schema, type: one }, name)))
    if (type === 'array') return `List[${typeOf(schema.items ?? {}, name)}]`
    if (type === 'object' && properties !== undefined && Object.keys(properties).length > 0)
      return declare(schema, name)
    if (type === 'object') {
      return `Dict[str, ${typeof additionalProperties === 'object' ? typeOf(additionalProperties, name) : 'Any'}]`
    }
    const primitives = { string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None' }
    return primitives[type] ?? 'Any'
  }

  const declare = ({ properties, required = [], description }, name) => {
    if (declarations.has(name)) throw new Error(`Two types have the name ${name}.`)
    declarations.set(name, '')
    const fields = Object.entries(properties).map(([field, schema]) => {
      const fieldType = typeOf(schema, `${name}${pascal(field)}`)
      return {
        field,
        type: required.includes(field) ? fieldType : `NotRequired[${fieldType}]`,
        description: schema.description,
      }
    })
    const isClass = fields.every(({ field }) => isIdentifier(field))
    const doc = description === undefined ? [] : [`    """${documentation(description)}"""`, '']
    const lines = isClass
      ? [
          `class ${name}(TypedDict):`,
          ...doc,
          ...fields.flatMap((one) => [
            `    ${one.field}: ${one.type}`,
            ...(one.description === undefined ? [] : [`    """${documentation(one.description)}"""`]),
          ]),
        ]
      : [`${name} = TypedDict("${name}", {${fields.map(({ field, type }) => `"${field}": ${type}`).join(', ')}})`]
    declarations.set(name, lines.join('\n'))
    return `"${name}"`
  }

  return {
    typeOf,
    /** The type of a component. */
    add(name, schema) {
      const own = typeOf(schema, name)
      if (own !== `"${name}"`) declarations.set(name, `${name} = ${own}`)
    },
    text: () => [...declarations.values()].join('\n\n\n'),
  }
}

const methodOf = (operation, types, isAsync) => {
  const { id, summary, method, path, pathParameters, query, body, options, hasIfMatch, results, items } = operation
  const name = snake(id)
  const inTypes = (type) => type.replace(/"([A-Z]\w*)"/g, 'types.$1')
  const isForm = body?.type === 'multipart/form-data'
  const bodyType = body && !isForm && inTypes(types.body(operation))
  const result = results.length === 0 ? 'None' : inTypes(types.result(operation))
  const parameters = [
    ...pathParameters.map((one) => `${parameterName(one.name)}: str`),
    ...(body === undefined
      ? []
      : [isForm ? 'file: FileContent' : body.isRequired ? `body: ${bodyType}` : `body: ${bodyType} | None = None`]),
    '*',
    ...query.map((one) => `${parameterName(one.name)}: ${inTypes(types.query(operation, one))} | None = None`),
    ...(options === 'Post' ? ['idempotency_key: str | None = None'] : []),
    ...(hasIfMatch ? ['if_match: str | None = None'] : []),
  ]
  if (parameters.at(-1) === '*') parameters.pop()
  const address = path.replace(/\{(\w+)\}/g, (_, parameter) => `{quote(${parameterName(parameter)}, safe='')}`)
  const content = [
    `"${method}"`,
    pathParameters.length === 0 ? `"${path}"` : `f"${address}"`,
    ...(body === undefined ? [] : [isForm ? 'file=file' : body.isRequired ? 'body=body' : 'body=body or {}']),
    ...(query.length === 0
      ? []
      : [`query={${query.map((one) => `"${one.name}": ${parameterName(one.name)}`).join(', ')}}`]),
    ...(options === 'Post' ? ['idempotency_key=idempotency_key'] : []),
    ...(hasIfMatch ? ['if_match=if_match'] : []),
  ].join(', ')
  const head = (
    returned,
    prefix = '',
  ) => `    ${prefix}def ${name}(self${parameters.map((one) => `, ${one}`).join('')}) -> ${returned}:
        """${documentation(summary)}. \`${method} ${path}\`"""`
  if (items !== undefined) {
    const list = `${isAsync ? 'AsyncItems' : 'Items'}[${result}, ${inTypes(types.item(operation))}]`
    return `${head(list)}
        return ${isAsync ? 'AsyncItems' : 'Items'}(self._requests, "${items}", ${content.slice(content.indexOf(', ') + 2)})`
  }
  const call = `${isAsync ? 'await ' : ''}self._requests.json(${content})`
  return result === 'None'
    ? `${head(result, isAsync ? 'async ' : '')}
        ${call}`
    : `${head(result, isAsync ? 'async ' : '')}
        result: ${result} = ${call}
        return result`
}

export const pythonApi = (schemas, operations, generatedLine) => {
  const collected = createTypes()
  for (const [name, schema] of Object.entries(schemas)) collected.add(name, schema)
  const known = new Map()
  /** Declares the type of an inline schema at its first use. */
  const once = (name, schema) => {
    if (!known.has(name)) known.set(name, collected.typeOf(schema, name))
    return known.get(name)
  }
  const types = {
    body: ({ id, body }) => once(`${pascal(id)}Body`, body.schema),
    query: ({ id }, { name, schema }) => once(`${pascal(id)}${pascal(name)}`, schema),
    result: ({ id, results }) => {
      const [first, second] = results
      const result = once(`${pascal(id)}Result`, first.schema)
      return second === undefined || result.includes(second.schema.$ref?.split('/').at(-1))
        ? result
        : `Union[${result}]`
    },
    item: ({ id, results, items }) => once(`${pascal(id)}ResultItem`, results[0].schema.properties[items].items),
  }
  const classOf = (name, requests, isAsync) => `class ${name}:
    """One method for each operation of the API that takes a key."""

    def __init__(self, requests: ${requests}) -> None:
        self._requests = requests

${operations.map((operation) => methodOf(operation, types, isAsync)).join('\n\n')}
`
  const classes = `${classOf('Operations', 'Requests', false)}

${classOf('AsyncOperations', 'AsyncRequests', true)}`
  return {
    'sdks/python/src/parlance_client/types.py': `"""The schemas of the API. ${generatedLine}"""

from typing import Any, Dict, List, Literal, Union

from typing_extensions import NotRequired, TypedDict


${collected.text()}
`,
    'sdks/python/src/parlance_client/_operations.py': `"""${generatedLine}"""

from typing import Any, Dict, List, Literal, Union
from urllib.parse import quote

from . import types
from ._requests import AsyncItems, AsyncRequests, FileContent, Items, Requests

${classes}`,
  }
}
