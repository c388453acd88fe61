import { createByteBudget } from '../src/http/multipart-form.js'

test('bytes are refused when too few are left, and released once', () => {
  const budget = createByteBudget(100, 100)
  const first = budget.open('a')
  expect([first.add(40), first.add(20)]).toEqual([true, true])
  const second = budget.open('b')
  expect([second.add(41), second.add(40)]).toEqual([false, true])
  first.release()
  first.release()
  expect(first.add(1)).toBe(false)
  const third = budget.open('c')
  expect([third.add(61), third.add(60)]).toEqual([false, true])
})

test('a party gets at most its share, and the rest is left for others', () => {
  const budget = createByteBudget(100, 70)
  const [first, second] = [budget.open('a'), budget.open('a')]
  expect([first.add(40), second.add(31), second.add(30), budget.open('b').add(30)]).toEqual([true, false, true, true])
  first.release()
  expect([second.add(41), second.add(40)]).toEqual([false, true])
})
