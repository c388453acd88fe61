import { exampleArguments } from '../src/agents/editor/example-arguments.js'

test('arguments to try a tool with have its defaults, its examples and its first choices, and blanks for the rest', () => {
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

test('a schema that is no object, or refers to itself without end, gives arguments all the same', () => {
  expect(exampleArguments({})).toEqual({})
  expect(exampleArguments({ properties: 'none' })).toEqual({})
  const endless: Record<string, unknown> = { type: 'object' }
  endless.properties = { inner: endless }
  expect(JSON.stringify(exampleArguments(endless)).length).toBeLessThan(200)
})
