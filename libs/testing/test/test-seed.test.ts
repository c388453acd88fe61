import { testSeed } from '@parlance/testing'
import fc from 'fast-check'

const given = process.env.FC_SEED
afterEach(() => {
  if (given === undefined) delete process.env.FC_SEED
  else process.env.FC_SEED = given
})

test('the seed is the same in every run, and the one in FC_SEED where it is set', () => {
  delete process.env.FC_SEED
  expect(testSeed()).toBe(testSeed())
  process.env.FC_SEED = '7'
  expect(testSeed()).toBe(7)
})

test('FC_SEED=random draws a seed', () => {
  process.env.FC_SEED = 'random'
  expect(new Set(Array.from({ length: 5 }, testSeed)).size).toBeGreaterThan(1)
})

test('a seed that is not an integer is refused, and the error quotes it', () => {
  process.env.FC_SEED = 'soon'
  expect(testSeed).toThrow('FC_SEED: soon is not a seed')
})

test('property tests run with this seed', () => {
  expect(fc.readConfigureGlobal().seed).toBe(testSeed())
})
