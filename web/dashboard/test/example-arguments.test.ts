import { exampleArguments } from '../src/agents/editor/example-arguments.js'

test('example arguments have the defaults, examples and first choices of the schema, and blanks for the rest', () => {
  const schema = {
    properties: {
      city: { type: 'string', examples: ['Lisbon'] },
      days: { type: 'integer', default: 3 },
      unit: { enum: ['C', 'F'] },
      place: { type: 'object', properties: { name: { type: ['string', 'null'] }, tags: { type: 'array' } } },
      exact: { type: 'boolean' },
      anything: {},
    },
  }
  expect(exampleArguments(schema)).toEqual({
    ...{ city: 'Lisbon', days: 3, unit: 'C', exact: false, anything: null },
    place: { name: '', tags: [] },
  })
})

test('a schema that is not an object, or is recursive, still gives arguments', () => {
  expect(exampleArguments({})).toEqual({})
  expect(exampleArguments({ properties: 'none' })).toEqual({})
  const endless: Record<string, unknown> = { type: 'object' }
  endless.properties = { inner: endless }
  expect(JSON.stringify(exampleArguments(endless)).length).toBeLessThan(200)
})
