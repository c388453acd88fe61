/** Fixed, so that a failure is reproducible. */
const pinnedSeed = 20_261_122

const maxSeed = 2 ** 31

/**
 * The seed of tests with random input: a whole number from 0 up to 2³¹. The environment variable `FC_SEED` overrides the
 * pinned one; `FC_SEED=random` draws one. Throws `RangeError` for any other value.
 */
export const testSeed = (): number => {
  const given = process.env.FC_SEED
  if (given === undefined || given === '') return pinnedSeed
  if (given === 'random') return Math.floor(Math.random() * maxSeed)
  const seed = Number(given)
  if (!Number.isInteger(seed) || seed < 0 || seed >= maxSeed) throw new RangeError(`FC_SEED: ${given} is not a seed`)
  return seed
}
