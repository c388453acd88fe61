import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { argumentProblem } from '../../src/tools/argument-problem.js'

const place = { type: 'object', properties: { city: { type: 'string', minLength: 2 } }, required: ['city'] }

describe('arguments of a tool', () => {
  test.each<[string, Record<string, unknown>, unknown, string | undefined]>([
    ['no schema', {}, { anything: 1 }, undefined],
    ['no object', {}, 'text', 'the arguments must be a JSON object'],
    ['an array', {}, [], 'the arguments must be a JSON object'],
    ['null', {}, null, 'the arguments must be a JSON object'],
    ['what fits', place, { city: 'Rome', more: 1 }, undefined],
    ['what is missing', place, {}, 'arguments.city is missing'],
    ['a name of every object', { required: ['toString'] }, {}, 'arguments.toString is missing'],
    ['a wrong type', place, { city: 5 }, 'arguments.city must be of the type string'],
    ['what is too short', place, { city: 'R' }, 'the length of arguments.city must be at least 2'],
    [
      'an additional property',
      { ...place, additionalProperties: false },
      { city: 'Rome', x: 1 },
      'arguments.x must not be there',
    ],
    ['what patterns may let in', { patternProperties: { '^x': {} }, additionalProperties: false }, { x: 1 }, undefined],
    [
      'a whole number',
      { properties: { n: { type: 'integer' } } },
      { n: 1.5 },
      'arguments.n must be of the type integer',
    ],
    ['one of two types', { properties: { n: { type: ['integer', 'null'] } } }, { n: null }, undefined],
    ['a number that is too large', { properties: { n: { maximum: 10 } } }, { n: 11 }, 'arguments.n must be at most 10'],
    [
      'none of the choices',
      { properties: { n: { enum: ['a', 'b'] } } },
      { n: 'c' },
      'arguments.n must be one of ["a","b"]',
    ],
    ['one of the choices', { properties: { n: { enum: ['a', { b: 1 }] } } }, { n: { b: 1 } }, undefined],
    ['another constant', { properties: { n: { const: 1 } } }, { n: 2 }, 'arguments.n must be 1'],
    [
      'an item',
      { properties: { n: { items: { type: 'string' } } } },
      { n: ['a', 1] },
      'arguments.n[1] must be of the type string',
    ],
    [
      'too many items',
      { properties: { n: { maxItems: 1 } } },
      { n: [1, 2] },
      'the number of items of arguments.n must be at most 1',
    ],
    [
      'one of several schemas',
      { properties: { n: { anyOf: [{ type: 'string' }, { type: 'null' }] } } },
      { n: null },
      undefined,
    ],
    [
      'none of several',
      { properties: { n: { oneOf: [{ type: 'string' }, { type: 'null' }] } } },
      { n: 1 },
      'arguments.n must be of the type string',
    ],
    ['all of several', { allOf: [{ required: ['a'] }, { required: ['b'] }] }, { a: 1 }, 'arguments.b is missing'],
    [
      'what a reference leads to',
      { $defs: { p: place }, properties: { at: { $ref: '#/$defs/p' } } },
      { at: {} },
      'arguments.at.city is missing',
    ],
    ['a reference into nothing', { properties: { at: { $ref: '#/$defs/p' } } }, { at: {} }, undefined],
    ['a reference to elsewhere', { properties: { at: { $ref: 'https://example.com' } } }, { at: {} }, undefined],
    ['a schema that leads to itself', { $ref: '#' }, { a: 1 }, undefined],
  ])('%s', (_, schema, value, problem) => {
    expect(argumentProblem(schema, value)).toBe(problem)
  })

  test('a pattern is not run: it could block the event loop forever', () => {
    expect(argumentProblem({ properties: { n: { pattern: '^(a+)+$' } } }, { n: `${'a'.repeat(50)}!` })).toBeUndefined()
  })

  test('schemas that refer to one another are checked within a bounded time', () => {
    const twice = { allOf: [{ $ref: '#' }, { $ref: '#' }] }
    expect(argumentProblem({ anyOf: [twice, twice], properties: { a: twice } }, { a: { a: {} } })).toBeUndefined()
  })

  test('the check ends for any schema and arguments', () => {
    const schema = fc.letrec((tie) => ({
      any: fc.oneof(
        fc.jsonValue(),
        fc.record(
          {
            type: fc.constantFrom('object', 'string', 'nothing', 5, ['string']),
            properties: fc.dictionary(fc.constantFrom('a', 'b'), tie('any')),
            items: tie('any'),
            required: fc.oneof(fc.constant(['a']), fc.jsonValue()),
            enum: fc.oneof(fc.array(fc.jsonValue()), fc.jsonValue()),
            anyOf: fc.oneof(fc.array(tie('any'), { maxLength: 3 }), fc.jsonValue()),
            $ref: fc.constantFrom('#', '#/properties/a', '#/', '#a', ''),
            minimum: fc.jsonValue(),
          },
          { requiredKeys: [] },
        ),
      ),
    })).any
    fc.assert(
      fc.property(schema, fc.jsonValue(), (any, value) => {
        const problem = argumentProblem({ properties: { a: any } }, { a: value })
        expect(['string', 'undefined']).toContain(typeof problem)
      }),
    )
  })
})
