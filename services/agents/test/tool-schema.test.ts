import { toolSchemaProblem } from '../src/tool-schema.js'

const nested = (levels: number): Record<string, unknown> => (levels === 0 ? {} : { contains: nested(levels - 1) })

describe('the parameters of a tool', () => {
  test.each<[string, Record<string, unknown>]>([
    ['nothing', {}],
    ['an object', { type: 'object', properties: { url: { type: 'string', pattern: '^https:' } }, required: ['url'] }],
    ['keywords of other vendors', { type: 'object', 'x-order': 1, properties: { a: { type: 'string', ui: 'wide' } } }],
    ['definitions', { $defs: { 'a/b~c d': { type: 'object' } }, $ref: '#/$defs/a~1b~0c%20d' }],
    ['a recursive schema', { properties: { children: { type: 'array', items: { $ref: '#' } } } }],
    [
      'a property with the name of a keyword',
      { properties: { $ref: { type: 'string' }, $schema: { type: 'string' } } },
    ],
    ['a named draft', { $schema: 'http://json-schema.org/draft-07/schema#', items: [{ type: 'string' }] }],
    ['the newest draft by name', { $schema: 'https://json-schema.org/draft/2020-12/schema', prefixItems: [true] }],
    ['one choice that is an object', { oneOf: [{ type: 'null' }, { type: ['string', 'object'] }] }],
    ['a constant object', { const: { a: 1 } }],
    ['a schema that excludes some objects', { not: { type: 'object', required: ['a'] } }],
    ['a part of itself', { allOf: [{ $ref: '#' }] }],
    ['an id', { $id: 'https://json-schema.org/draft/2020-12/schema', type: 'object' }],
  ])('may be %s', (_what, schema) => {
    expect(toolSchemaProblem(schema)).toBeUndefined()
    // The id of one schema does not affect the next.
    expect(toolSchemaProblem(schema)).toBeUndefined()
  })

  test.each<[string, Record<string, unknown>, string]>([
    ['an unknown type', { type: 'objekt' }, '/type'],
    ['a wrong type deep inside', { properties: { a: { items: { type: 5 } } } }, '/properties/a/items/type'],
    ['properties that are a list', { properties: [] }, '/properties'],
    ['a bound that is text', { minimum: '1' }, '/minimum'],
    ['an invalid regular expression', { properties: { a: { pattern: '(' } } }, '"("'],
    ['an invalid property pattern', { patternProperties: { '[': {} } }, '"["'],
    ['a reference to another document', { $ref: 'https://evil.example.com/schema.json' }, 'evil.example.com'],
    ['a reference to a file', { properties: { a: { $ref: 'file:///etc/passwd' } } }, 'file:///etc/passwd'],
    ['a reference to nothing', { $ref: '#/$defs/missing' }, '#/$defs/missing'],
    ['a reference to a prototype', { $ref: '#/constructor' }, '#/constructor'],
    ['a reference to something else', { required: ['a'], $ref: '#/required' }, '#/required'],
    ['a reference that cannot be read', { $ref: '#/%E0%A4%A' }, 'does not refer to a schema'],
    ['an unknown draft', { $schema: 'https://evil.example.com/meta' }, '$schema'],
    ['a draft that is not text', { $schema: { a: 1 } }, '$schema'],
    ['a draft by the name of a prototype', { $schema: 'constructor' }, '$schema'],
    ['excessive nesting', nested(2000), 'nested'],
    ['text in place of an object', { type: 'string' }, 'no object'],
    ['types without an object', { type: ['array', 'null'] }, 'no object'],
    ['a constant that is not an object', { const: [] }, 'no object'],
    ['choices without an object', { enum: ['a', 1, null, []] }, 'no object'],
    ['no choice that is an object', { anyOf: [{ type: 'string' }, { type: 'number' }] }, 'no object'],
    ['a part that is not an object', { allOf: [{ type: 'object' }, { type: 'string' }] }, 'no object'],
    ['a part that accepts nothing', { allOf: [false] }, 'no object'],
    ['a reference to a text', { $defs: { name: { type: 'string' } }, $ref: '#/$defs/name' }, 'no object'],
    ['objects that are excluded', { not: { type: 'object' } }, 'no object'],
    ['an exclusion of everything', { not: {} }, 'no object'],
  ])('are refused for %s', (_what, schema, named) => {
    expect(toolSchemaProblem(schema)).toContain(named)
  })

  test('are read as deep as is allowed, and refused one level below', () => {
    expect(toolSchemaProblem(nested(63))).toBeUndefined()
    expect(toolSchemaProblem(nested(64))).toContain('nested')
  })

  test('never run as code', () => {
    const hits = globalThis as { hit?: boolean }
    for (const text of ['");globalThis.hit=true;("', '`$' + '{globalThis.hit=true}`', "'];globalThis.hit=true//"]) {
      toolSchemaProblem({ $id: text, properties: { [text]: { pattern: text, const: text } }, required: [text] })
      toolSchemaProblem({ $ref: text })
    }
    expect(hits.hit).toBeUndefined()
  })

  test('of the maximum size are checked quickly, however they branch', () => {
    const branching = {
      $defs: Object.fromEntries(
        Array.from({ length: 100 }, (_, n) => [
          `d${n}`,
          { allOf: Array(5).fill({ $ref: `#/$defs/d${Math.min(n + 1, 99)}` }) },
        ]),
      ),
      $ref: '#/$defs/d0',
    }
    const wide = { anyOf: Array(1600).fill({ not: { type: 'string' } }) }
    const before = process.cpuUsage()
    expect(toolSchemaProblem(branching)).toBeUndefined()
    expect(toolSchemaProblem(wide)).toBeUndefined()
    // 2^100 paths would never end. Other work on the machine does not count.
    expect(process.cpuUsage(before).user).toBeLessThan(5_000_000)
  })
})
