import { record, table } from '../src/table.js'

const columns = [
  { title: 'ID', cell: ([id]: string[]) => id! },
  { title: 'COUNT', cell: ([, count]: string[]) => count!, align: 'right' as const },
  { title: 'NAME', cell: ([, , name]: string[]) => name! },
]

test('columns are as wide as their content, and numbers are aligned to the right', () => {
  expect(
    table(columns, [
      ['a1', '5', 'Ada'],
      ['b', '12345678', 'Bob'],
    ]),
  ).toBe(['ID     COUNT  NAME', 'a1         5  Ada', 'b   12345678  Bob'].join('\n'))
})

test('a last column of numbers stays beside the others, however wide the terminal', () => {
  const numbers = table(columns.slice(0, 2), [['a', '1']], 80)
  expect(numbers).toBe(['ID  COUNT', 'a       1'].join('\n'))
})

test('the last column is wrapped between words, within the width', () => {
  expect(table(columns, [['a', '1', 'a name of several words']], 25)).toBe(
    ['ID  COUNT  NAME', 'a       1  a name of', '           several words'].join('\n'),
  )
})

test('a word that does not fit is broken, and no part of it is lost', () => {
  const name = 'n'.repeat(50)
  const printed = table(columns, [['a', '1', name]], 25)
  expect(printed.replace(/[^n]/g, '')).toBe(name)
  for (const line of printed.split('\n')) expect(line.length).toBeLessThanOrEqual(25)
})

test('when the terminal is too narrow for a row, each row is a record', () => {
  const row = ['0123456789', '12', 'a name']
  expect(table(columns, [row, row], 28).split('\n')).toHaveLength(3)
  const record = ['ID     0123456789', 'COUNT  12', 'NAME   a name']
  expect(table(columns, [row, row], 20)).toBe([...record, '', ...record].join('\n'))
  expect(table(columns.slice(0, 2), [row], 12)).toBe(record.slice(0, 2).join('\n'))
})

test('wide characters take two columns', () => {
  const lines = table(columns, [['a', '1', '日本語'.repeat(6)]], 25).split('\n')
  expect(lines.slice(1).map((line) => line.trim().replace(/^a +1 +/, '').length)).toEqual([7, 7, 4])
})

test('a name cannot control the terminal', () => {
  const printed = record({ Name: 'red\x1b[31m\nState  active\u202e' })
  expect(printed).toBe('Name  red\\u001b[31m\\u000aState  active\\u202e')
})
