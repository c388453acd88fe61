/** Resolves when the work is done, or the time is up. */
export const within = async (limitMs: number, work: Promise<unknown>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs)
  })
  await Promise.race([work, late])
  clearTimeout(timer)
}
