import { createByteBudget } from '../src/http/byte-budget.js'

test('bytes are refused when too few are left, and released once', () => {
  const budget = createByteBudget(100, 100)
  const release = budget.take(60, 'a')!
  expect(budget.take(41, 'b')).toBeUndefined()
  expect(budget.take(40, 'b')).toBeInstanceOf(Function)
  release()
  release()
  expect(budget.take(61, 'c')).toBeUndefined()
  expect(budget.take(60, 'c')).toBeInstanceOf(Function)
})

test('a party gets at most its share, and the rest is left for others', () => {
  const budget = createByteBudget(100, 70)
  const first = budget.take(40, 'a')!
  expect(budget.take(31, 'a')).toBeUndefined()
  expect(budget.take(30, 'a')).toBeInstanceOf(Function)
  expect(budget.take(30, 'b')).toBeInstanceOf(Function)
  first()
  expect(budget.take(41, 'a')).toBeUndefined()
  expect(budget.take(40, 'a')).toBeInstanceOf(Function)
})
