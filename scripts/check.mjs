/**
 * Runs `work` and prints the guarantee that it checks, with its time and with what it resolves to, unless that is undefined.
 * Rejects as `work` does, after a line that names the guarantee.
 */
export const check = async (guarantee, work) => {
  const begunMs = performance.now()
  try {
    const note = await work()
    const seconds = `${((performance.now() - begunMs) / 1000).toFixed(1)} s`
    console.log(`  ok: ${guarantee} (${note === undefined ? seconds : `${note}; ${seconds}`})`)
  } catch (error) {
    console.log(`  FAILED: ${guarantee}`)
    throw error
  }
}
